import type { PlantedFault } from '../fault.ts'

/** api/auth and api/middleware. */
export const authFaults: readonly PlantedFault[] = [
  {
    name: 'a sign-in message passes for any URI that begins like the site',
    file: 'api/auth/siwe.ts',
    find: `if (message.uri !== origin && message.uri !== \`\${origin}/\`) {`,
    replace: 'if (!message.uri.startsWith(origin)) {',
  },
  {
    name: 'a nonce is checked by the first secret alone',
    file: 'api/auth/nonce.ts',
    find: 'secrets.some((secret) => isMac(secret, body, nonce.slice(BODY_LENGTH)))',
    replace: 'isMac(secrets[0], body, nonce.slice(BODY_LENGTH))',
  },
  {
    name: 'a contract sign-in with a used nonce keeps its place among those under way',
    file: 'api/auth/sign-in.ts',
    find: '  try {\n    await spendNonce(store, nonce, expiresAt)\n',
    replace: '  await spendNonce(store, nonce, expiresAt)\n  try {\n',
  },
  {
    name: 'a signature that the chain gave no answer about is handed to the log',
    file: 'api/auth/signature.ts',
    find: 'throw chainUnavailable(detail, withoutRequest(outages[0]))',
    replace: 'throw chainUnavailable(detail, outages[0])',
  },
  {
    name: 'a token of another chain is good here',
    file: 'api/auth/token.ts',
    find: 'if (!data || data.chainId !== settings.chainId) throw tokenInvalid()',
    replace: 'if (!data) throw tokenInvalid()',
  },
  {
    name: 'the row of a revoked token is dated in 1970',
    file: 'api/auth/revoked-tokens.ts',
    find: 'expiresAt: new Date(expiresAt * 1000)',
    replace: 'expiresAt: new Date(expiresAt)',
  },
  {
    name: 'a token counts as not revoked while the database does not answer',
    file: 'api/middleware/authenticate.ts',
    find: 'return toCodedError(error)',
    replace: 'return undefined',
  },
  {
    name: 'the client address is counted from the left of X-Forwarded-For, where the client writes',
    file: 'api/middleware/client-address.ts',
    find: 'entries.at(-trustedProxies)',
    replace: 'entries.at(trustedProxies - 1)',
  },
  {
    name: 'work that is aborted while it waits stays in the queue',
    file: 'api/middleware/queue.ts',
    find: 'const abort = () => {\n        leave()\n',
    replace: 'const abort = () => {\n',
  },
  {
    name: 'counts in memory are forgotten when a generation grows old, before their window ends',
    file: 'api/middleware/memory-counts.ts',
    find: 'newer.get(key) ?? older.get(key)',
    replace: 'newer.get(key)',
  },
  {
    name: "the first request of a wallet's next window is not counted",
    file: 'api/middleware/rate-limit-store.ts',
    find: 'then 1 else wallet_rate_limit.hits + 1 end',
    replace: 'then 0 else wallet_rate_limit.hits + 1 end',
  },
  {
    name: 'a sign-in with a token is counted by the wallet of that token',
    file: 'api/middleware/rate-limit.ts',
    find: "policyOf(c) !== 'sign-in' && walletOf(c) !== undefined",
    replace: 'walletOf(c) !== undefined',
  },
  {
    name: 'a snapshot that fails to close keeps its share of the connections',
    file: 'api/middleware/snapshots.ts',
    find: 'open.close().finally(release)',
    replace: 'open.close().then(release)',
  },
  {
    name: "the decoded form of a database's password is not removed from the log",
    file: 'api/middleware/log.ts',
    find: 'return password ? [password, decodeURIComponent(password)] : []',
    replace: 'return password ? [password] : []',
  },
  {
    name: 'the challenge for a revoked token does not state that it is invalid',
    file: 'api/middleware/problem.ts',
    find: "new Set(['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'])",
    replace: "new Set(['TOKEN_INVALID', 'TOKEN_EXPIRED'])",
  },
  {
    name: 'the shape of a body is not bounded when its media type ends in +json',
    file: 'api/middleware/wire.ts',
    find: String.raw`const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i`,
    replace: String.raw`const JSON_TYPE = /^application\/json\s*(;|$)/i`,
  },
]
