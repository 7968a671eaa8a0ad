import type { PlantedFault } from '../fault.ts'

/** api/auth and api/middleware. */
export const authFaults: readonly PlantedFault[] = [
  {
    name: 'a sign-in message passes for any URI that begins like the site',
    in: 'isUriOf',
    find: "uri.startsWith(origin) && (rest === '' || /^[/?#]/.test(rest))",
    replace: 'uri.startsWith(origin) && rest.length >= 0',
  },
  {
    name: 'a nonce is checked by the first secret alone',
    in: 'checkNonce',
    find: 'secrets.some((secret) => isMac(secret, body, nonce.slice(BODY_LENGTH)))',
    replace: 'isMac(secrets[0], body, nonce.slice(BODY_LENGTH))',
  },
  {
    name: 'a contract sign-in with a used nonce keeps its place among those under way',
    in: 'prove',
    find: 'try { await spendNonce(store, nonce, expiresAt)',
    replace: 'await spendNonce(store, nonce, expiresAt)\ntry {',
  },
  {
    name: 'a signature that the chain gave no answer about is handed to the log',
    in: 'isSignedByContract',
    find: 'throw chainUnavailable(detail, withoutRequest(outages[0]))',
    replace: 'throw chainUnavailable(detail, outages[0])',
  },
  {
    name: 'a token of another chain is good here',
    in: 'toSession',
    find: 'if (!data || data.chainId !== settings.chainId) throw tokenInvalid()',
    replace: 'if (!data) throw tokenInvalid()',
  },
  {
    name: 'the row of a revoked token is dated in 1970',
    in: 'revokeToken',
    find: 'expiresAt: new Date(expiresAt * 1000)',
    replace: 'expiresAt: new Date(expiresAt)',
  },
  {
    name: 'a token counts as not revoked while the database does not answer',
    in: 'readRevocation',
    find: 'toCodedError(error)',
    replace: 'undefined',
  },
  {
    name: 'the client address is counted from the left of X-Forwarded-For, where the client writes',
    in: 'forwardedAddress',
    find: "split(',').at(-trustedProxies)",
    replace: "split(',').at(trustedProxies - 1)",
  },
  {
    name: 'a kept answer keeps the query in memory that the name of its operation was cut from',
    in: 'createKeptAnswers',
    find: 'operation && ownText(operation)',
    replace: 'operation',
  },
  {
    name: 'work that is aborted while it waits stays in the queue',
    in: 'createQueue',
    find: 'const abort = () => { leave()',
    replace: 'const abort = () => {',
  },
  {
    name: 'counts in memory are forgotten when a generation grows old, before their window ends',
    in: 'createMemoryCounts',
    find: 'newer.get(key) ?? older.get(key)',
    replace: 'newer.get(key)',
  },
  {
    name: "the first request of a wallet's next window is not counted",
    in: 'countRequest',
    find: 'then 1 else wallet_rate_limit.hits + 1 end',
    replace: 'then 0 else wallet_rate_limit.hits + 1 end',
  },
  {
    name: 'a sign-in with a token is counted by the wallet of that token',
    in: 'rateLimit',
    find: "policy === 'sign-in' ? undefined : walletOf(c.get('authentication'))",
    replace: "walletOf(c.get('authentication'))",
  },
  {
    name: 'a snapshot that fails to close keeps its share of the connections',
    in: 'createOpener',
    find: 'close().finally(release)',
    replace: 'open.close().then(release)',
  },
  {
    name: "the decoded form of a database's password is not removed from the log",
    in: 'secretsOf',
    find: 'password ? [password, decodeURIComponent(password)] : []',
    replace: 'password ? [password] : []',
  },
  {
    name: 'the challenge for a revoked token does not state that it is invalid',
    in: 'BAD_TOKEN',
    find: "new Set(['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'])",
    replace: "new Set(['TOKEN_INVALID', 'TOKEN_EXPIRED'])",
  },
  {
    name: 'the shape of a body is not bounded when its media type ends in +json',
    in: 'JSON_TYPE',
    find: '/^application\\/([\\w.-]+\\+)?json',
    replace: '/^application\\/json',
  },
  {
    name: "a wallet's rate-limit window is renewed by each of its requests",
    in: 'countRequest',
    find: 'then excluded.resets_at else wallet_rate_limit.resets_at end',
    replace: 'then excluded.resets_at else excluded.resets_at end',
  },
  {
    name: 'work that is released twice leaves room for one more than the limit',
    in: 'createConcurrencyLimit',
    find: 'if (isReleased) return',
    replace: '',
  },
  {
    name: 'a request with a session cookie may come from any page',
    in: 'findForgery',
    find: 'findForeignOrigin(c, settings) ?? findForeignToken(c, settings, session)',
    replace: 'findForeignToken(c, settings, session)',
  },
  {
    name: 'the CSRF token of one session is that of all',
    in: 'mac',
    find: '.update(id)',
    replace: '.update(typeof id)',
  },
  {
    name: 'what is read for a session cookie is kept for others',
    in: 'createGraphql',
    find: 'const isShared = answer.isPure && !isPersonal(c)',
    replace: 'const isShared = answer.isPure',
  },
  {
    name: 'a shared cache may store the answer to a session cookie',
    in: 'isPersonal',
    find: "c.get('rules').access !== 'public' || hasCookieSession(c)",
    replace: "c.get('rules').access !== 'public'",
  },
]
