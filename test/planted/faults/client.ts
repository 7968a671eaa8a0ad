import type { PlantedFault } from '../fault.ts'

/** client/. */
export const clientFaults: readonly PlantedFault[] = [
  {
    name: "the connected account keeps the wallet's own spelling",
    file: 'client/eip1193.ts',
    caughtBy: ['test/client/session-changes.test.ts', 'test/client/session.test.ts'],
    find: 'first.slice(2).toLowerCase()',
    replace: 'first.slice(2)',
  },
  {
    name: 'an answer without Retry-After counts as one that can be retried at once',
    file: 'client/errors.ts',
    caughtBy: ['test/client/errors.test.ts'],
    find: "response.headers.get('Retry-After') ?? Number.NaN",
    replace: "response.headers.get('Retry-After') ?? ''",
  },
  {
    name: 'a transaction that has come farther than asked for is waited for',
    file: 'client/follow.ts',
    caughtBy: ['test/client/plan.test.ts'],
    find: 'return WAY.slice(WAY.indexOf(until)).some((step) => step === status)',
    replace: 'return status === until',
  },
  {
    name: 'Retry-After is waited out in milliseconds',
    file: 'client/follow.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: 'return { waitMs: (error.retryAfter ?? 0) * 1000 }',
    replace: 'return { waitMs: error.retryAfter ?? 0 }',
  },
  {
    name: 'a logout that the gateway does not answer keeps the session here',
    file: 'client/gateway.ts',
    caughtBy: ['test/client/session.test.ts'],
    find: 'logOut(bare, session.token).finally(() => sessions.drop(session.token))',
    replace: 'logOut(bare, session.token).then(() => sessions.drop(session.token))',
  },
  {
    name: "the caller's wish how far to follow holds for the approvals too",
    file: 'client/plan.ts',
    caughtBy: ['test/client/plan.test.ts'],
    find: "{ ...options, until: 'MINED' }",
    replace: "{ until: 'MINED', ...options }",
  },
  {
    name: 'no listener is called when a session that began here expires',
    file: 'client/session.ts',
    caughtBy: ['test/client/session.test.ts'],
    find: 'storage.setItem(key, JSON.stringify(session))\n      dropOnExpiry()\n',
    replace: 'storage.setItem(key, JSON.stringify(session))\n',
  },
  {
    name: 'a session survives a switch of the chain without an event',
    file: 'client/session.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: '({ wallet, chainId }) => wallet === connected?.address && chainId === connected.chainId',
    replace: '({ wallet }) => wallet === connected?.address',
  },
  {
    name: "a session's lifetime is computed by this machine's clock",
    file: 'client/sign-in.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: 'return Date.parse(expiresAt) - Date.parse(issuedAt)',
    replace: 'return Date.parse(expiresAt) - Date.now()',
  },
  {
    name: 'a late 401 to an old token ends the session that followed it',
    file: 'client/transport.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: 'if (response.status === 401 && session) sessions.drop(session.token)',
    replace: 'if (response.status === 401 && session) sessions.drop()',
  },
  {
    name: 'a late answer about the account before ends the session of the next',
    file: 'client/session.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: 'if (keepIf(() => true)?.token !== session.token) return current()',
    replace: '',
  },
  {
    name: 'following a transaction gives up at the first connection that fails',
    file: 'client/follow.ts',
    caughtBy: ['test/client/session-changes.test.ts'],
    find: "retryAfter !== undefined || (code === 'UNREACHABLE' && status >= 500)",
    replace: 'retryAfter !== undefined',
  },
]
