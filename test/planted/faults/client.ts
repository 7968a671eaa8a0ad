import type { PlantedFault } from '../fault.ts'

/** packages/client/. */
export const clientFaults: readonly PlantedFault[] = [
  {
    name: "the connected account keeps the wallet's own spelling",
    in: 'firstAddress',
    find: 'first.slice(2).toLowerCase()',
    replace: 'first.slice(2)',
  },
  {
    name: 'an answer without Retry-After counts as one that can be retried at once',
    in: 'toGatewayError',
    find: "response.headers.get('Retry-After') ?? Number.NaN",
    replace: "response.headers.get('Retry-After') ?? ''",
  },
  {
    name: 'a transaction that has come farther than asked for is waited for',
    in: 'isThatFar',
    find: 'WAY.slice(WAY.indexOf(until)).some((step) => step === status)',
    replace: 'status === until',
  },
  {
    name: 'Retry-After is waited out in milliseconds',
    in: 'askOnce',
    find: '{ waitMs: (error.retryAfter ?? 0) * 1000 }',
    replace: '{ waitMs: error.retryAfter ?? 0 }',
  },
  {
    name: 'a logout that the gateway does not answer keeps the session here',
    in: 'logout',
    find: 'logOut(bare, session.token).finally(() => sessions.drop(session.token))',
    replace: 'logOut(bare, session.token).then(() => sessions.drop(session.token))',
  },
  {
    name: "the caller's wish how far to follow holds for the approvals too",
    in: 'runPlan',
    find: "{ ...options, until: 'MINED' }",
    replace: "{ until: 'MINED', ...options }",
  },
  {
    name: 'no listener is called when a session that began here expires',
    in: 'createSessions',
    find: 'storage.setItem(key, JSON.stringify(session)) dropOnExpiry()',
    replace: 'storage.setItem(key, JSON.stringify(session))',
  },
  {
    name: 'a session survives a switch of the chain without an event',
    in: 'createSessions',
    find: '({ wallet, chainId }) => wallet === connected?.address && chainId === connected.chainId',
    replace: '({ wallet }) => wallet === connected?.address',
  },
  {
    name: "a session's lifetime is computed by this machine's clock",
    in: 'lifetimeOf',
    find: 'Date.parse(expiresAt) - Date.parse(issuedAt)',
    replace: 'Date.parse(expiresAt) - Date.now()',
  },
  {
    name: 'a late 401 to an old token ends the session that followed it',
    in: 'withSession',
    find: 'if (response.status === 401 && session) sessions.drop(session.token)',
    replace: 'if (response.status === 401 && session) sessions.drop()',
  },
  {
    name: 'a late answer about the account before ends the session of the next',
    in: 'createSessions',
    find: 'if (keepIf(() => true)?.token !== session.token) return current()',
    replace: '',
  },
  {
    name: 'following a transaction gives up at the first connection that fails',
    in: 'retryable',
    find: "this.code === 'UNREACHABLE' && (this.status ?? 503) >= 500",
    replace: 'false',
  },
  {
    name: 'a batch that is pending counts as ended',
    in: 'outcomeOf',
    find: 'if (status < 200) return undefined',
    replace: '',
  },
  {
    name: 'a route that its user declined is kept to be resumed',
    in: 'ENDED',
    find: "['USER_REJECTED', 'TRANSACTION_REVERTED']",
    replace: "['TRANSACTION_REVERTED']",
  },
  {
    name: 'a route that was sent is kept without its transaction',
    in: 'onHash',
    find: 'memory.keep({ prepared, hash })',
    replace: 'memory.keep({ prepared })',
  },
  {
    name: 'requests of other libraries carry the token to any origin',
    in: 'toFetch',
    find: 'new URL(request.url).origin === origin ? send(request) : bareSend(request)',
    replace: 'bareSend === send ? bareSend(request) : send(request)',
  },
  {
    name: 'a wallet that stays on another chain counts as switched',
    in: 'switchChain',
    find: 'if (current === chainId) return',
    replace: 'if (current !== undefined) return',
  },
  {
    name: 'an amount is shown with two decimals at most',
    in: 'formatAmount',
    find: "fraction.padEnd(Math.min(2, decimals), '0')",
    replace: "fraction.padEnd(Math.min(2, decimals), '0').slice(0, 2)",
  },
  {
    name: 'a read that is aborted counts as an outage',
    in: 'createSend',
    find: 'if (request.signal.aborted) throw cause',
    replace: '',
  },
  {
    name: 'a queue that is full counts as a lasting error',
    in: 'PASSING',
    find: "'OPTIMIZER_BUSY',",
    replace: '',
  },
  {
    name: 'the subscription for a followed transaction stays open when it ends',
    in: 'followTransaction',
    find: 'finished.abort()',
    replace: '',
  },
]
