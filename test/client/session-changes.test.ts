/**
 * Changes of a session that no event announces: another chain, a clock that is wrong, an answer that comes late. Its
 * storage, its listeners and its end.
 */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAccountWallet } from '../../demo/wallet.ts'
import {
  createGateway as createClient,
  type Eip1193Provider,
  type GatewayOptions,
  type Hash,
} from '../../packages/client/src/index.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { bearer, TEST_SITE } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'
import { memoryStorage } from './wallets.ts'

const account = privateKeyToAccount(generatePrivateKey())
const wallet = createAccountWallet(account, 'http://127.0.0.1:1')

let store: TestStore
beforeAll(async () => {
  store = await createTestStore()
})
afterAll(() => store.stop())

/** A client of a gateway of its own. */
function connect(options: Partial<GatewayOptions> = {}) {
  const app = createGateway(store)
  const fetch = async (request: Request) => app.fetch(request)
  const gateway = createClient({ url: 'http://gateway.test', site: TEST_SITE, wallet, fetch, ...options })
  onTestFinished(() => gateway.close())
  return gateway
}

describe('a session', () => {
  it('ends when the wallet is found on another chain, though no event said so', async () => {
    let chainId = '0x7a69'
    const movable: Eip1193Provider = {
      request: async (call) => (call.method === 'eth_chainId' ? chainId : wallet.request(call)),
    }
    const gateway = connect({ wallet: movable })
    const { token } = await gateway.signIn()
    expect((await gateway.session())?.token).toBe(token)
    chainId = '0x1'
    expect(await gateway.session()).toBeUndefined()
    chainId = '0x7a69'
    expect(await gateway.session()).toBeUndefined()
  })

  it('lasts as long as its token, by a clock that is behind the gateway’s', async () => {
    const now = Date.now() - 20_000
    const gateway = connect({ now: () => now })
    expect((await gateway.signIn()).expiresAt).toBe(now + 3_600_000)
  })

  it('lasts from the time of its request, however long the answer takes, and ends with its last millisecond', async () => {
    const start = Date.now()
    let now = start
    const app = createGateway(store)
    const fetch = async (request: Request) => {
      const response = await app.fetch(request)
      if (request.url.endsWith('/auth/verify')) now += 20_000
      return response
    }
    const gateway = connect({ fetch, now: () => now })
    const { expiresAt, token } = await gateway.signIn()
    expect(expiresAt).toBe(start + 3_600_000)
    now = expiresAt - 1
    expect((await gateway.session())?.token).toBe(token)
    now = expiresAt
    expect(await gateway.session()).toBeUndefined()
  })

  it('keeps no program alive until it expires', async () => {
    const timers: ReturnType<typeof setTimeout>[] = []
    const start = globalThis.setTimeout
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
      const timer = start(run, ms)
      if (ms > 3_000_000) timers.push(timer)
      return timer
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    await connect({ now: Date.now }).signIn()
    expect(timers.map((timer) => timer.hasRef())).toEqual([false])
  })

  it('is not ended by a refusal of something else', async () => {
    const app = createGateway(store)
    const problem = {
      code: 'NOT_CLAIM_BENEFICIARY',
      detail: 'another wallet is the beneficiary',
      status: 403,
    }
    const fetch = async (request: Request) =>
      request.url.endsWith('/vaults') ? Response.json(problem, { status: 403 }) : app.fetch(request)
    const gateway = connect({ fetch })
    const { token } = await gateway.signIn()
    await expect(gateway.get('/api/v1/vaults')).rejects.toMatchObject({ code: problem.code, status: 403 })
    expect((await gateway.session())?.token).toBe(token)
  })

  it('is not ended by a late 401 to the token before it', async () => {
    const arrived = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const app = createGateway(store)
    let first: string | undefined
    const fetch = async (request: Request) => {
      const response = await app.fetch(request)
      if (first === undefined || request.headers.get('Authorization') !== `Bearer ${first}`) return response
      arrived.resolve()
      await release.promise
      return response
    }
    const gateway = connect({ fetch })
    const { token } = await gateway.signIn()
    await app.request('/api/v1/auth/logout', { method: 'POST', ...bearer(token) })
    first = token
    const refused = gateway.me().catch(({ status }) => status)
    await arrived.promise
    const second = await gateway.signIn()
    release.resolve()
    expect(await refused).toBe(401)
    expect((await gateway.session())?.token).toBe(second.token)
  })

  it('is not ended by the end of a logout from the one before it', async () => {
    const arrived = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const app = createGateway(store)
    const fetch = async (request: Request) => {
      const response = await app.fetch(request)
      if (!request.url.endsWith('/auth/logout')) return response
      arrived.resolve()
      await release.promise
      return response
    }
    const gateway = connect({ fetch })
    await gateway.signIn()
    const left = gateway.logout()
    await arrived.promise
    const second = await gateway.signIn()
    release.resolve()
    await left
    expect((await gateway.session())?.token).toBe(second.token)
  })

  it('is not ended by a late answer of the wallet about the account before', async () => {
    const accounts = [
      wallet,
      createAccountWallet(privateKeyToAccount(generatePrivateKey()), 'http://127.0.0.1:1'),
    ]
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    let isLate = false
    const switching: Eip1193Provider = {
      request: async (call) => {
        const answer = await accounts[0]?.request(call)
        if (!isLate) return answer
        isLate = false
        asked.resolve()
        await release.promise
        return answer
      },
    }
    const gateway = connect({ wallet: switching })
    await gateway.signIn()
    isLate = true
    const looked = gateway.session()
    await asked.promise
    accounts.shift()
    const second = await gateway.signIn()
    release.resolve()
    expect((await looked)?.token).toBe(second.token)
    expect((await gateway.session())?.token).toBe(second.token)
  })
})

describe('the storage of a page', () => {
  it('has a session and a route for each gateway', async () => {
    const storage = memoryStorage()
    const url = 'http://other.test'
    const [one, other] = [connect({ storage }), connect({ storage, url })]
    const { token } = await one.signIn()
    expect(await other.session()).toBeUndefined()
    const second = await other.signIn()
    expect((await one.session())?.token).toBe(token)
    expect((await other.session())?.token).toBe(second.token)
    const route = { prepared: { executionId: HASH }, request: {} }
    storage.setItem(`claim-financing-route ${url}`, JSON.stringify(route))
    expect(other.interruptedRoute()).toEqual(route)
    expect(one.interruptedRoute()).toBeUndefined()
  })

  const complete = {
    token: 'a.b.c',
    wallet: account.address.toLowerCase(),
    chainId: 31_337,
    expiresAt: Date.now() + 3_600_000,
  }
  it.each([
    ['no JSON', '{"token":'],
    ['another value', '7'],
    ...Object.keys(complete).map((name) => [
      `no ${name}`,
      JSON.stringify({ ...complete, [name]: undefined }),
    ]),
  ])('has no session where its entry has %s', async (_, entry = '') => {
    const getItem = () => entry
    expect(await connect({ storage: { ...memoryStorage(), getItem } }).session()).toBeUndefined()
  })

  it('has the session where its entry is complete', async () => {
    const getItem = () => JSON.stringify(complete)
    expect(await connect({ storage: { ...memoryStorage(), getItem } }).session()).toEqual(complete)
  })

  it('is the memory of the program where the page may store nothing', async () => {
    const throws = () => {
      throw new Error('storage is disabled')
    }
    Object.defineProperty(globalThis, 'sessionStorage', { get: throws, configurable: true })
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'sessionStorage'))
    const gateway = connect()
    const { token } = await gateway.signIn()
    expect((await gateway.session())?.token).toBe(token)
  })
})

describe('a listener', () => {
  /** The wallet, with the events of an extension. */
  function emitting() {
    const listeners = new Map<string, Set<(argument: unknown) => void>>()
    const provider: Eip1193Provider = {
      ...wallet,
      on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    }
    const emit = (event: string, argument: unknown) => {
      for (const listener of listeners.get(event) ?? []) listener(argument)
    }
    return { provider, emit, count: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0) }
  }

  it('of sessions is not called after it was removed', async () => {
    const gateway = connect()
    const seen: unknown[] = []
    const remove = gateway.onSession((session) => seen.push(session?.token))
    const { token } = await gateway.signIn()
    remove()
    await gateway.logout()
    expect(seen).toEqual([token])
  })

  it('of the wallet is there until the gateway is closed, which leaves the session as it is', async () => {
    const { provider, emit, count } = emitting()
    const gateway = connect({ wallet: provider })
    expect(count()).toBe(3)
    const seen: unknown[] = []
    await gateway.signIn()
    gateway.onSession((session) => seen.push(session?.token))
    gateway.close()
    expect(count()).toBe(0)
    emit('disconnect', undefined)
    expect([(await gateway.session())?.wallet, seen]).toEqual([account.address.toLowerCase(), []])
  })

  it('of the wallet keeps the session while the wallet names its chain, in any form, and drops it at another one', async () => {
    for (const other of ['0x1', 1, 0x31337]) {
      const { provider, emit } = emitting()
      const gateway = connect({ wallet: provider })
      const { token } = await gateway.signIn()
      const seen: unknown[] = []
      gateway.onSession((session) => seen.push(session))
      for (const own of ['0x7a69', 31_337]) emit('chainChanged', own)
      expect([(await gateway.session())?.token, seen]).toEqual([token, []])
      emit('chainChanged', other)
      expect(seen).toEqual([undefined])
    }
  })

  it('is not called for a session that expires after the gateway is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let now = Date.now()
    const gateway = connect({ now: () => now })
    const seen: unknown[] = []
    const { expiresAt } = await gateway.signIn()
    gateway.onSession((session) => seen.push(session?.token))
    gateway.close()
    now = expiresAt
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(seen).toEqual([])
  })

  it('of a session in a cookie waits for the wallet, and signs in after the logout of another one', async () => {
    const { provider, emit } = emitting()
    const requests: string[] = []
    const held = Promise.withResolvers<void>()
    const fetch = async (request: Request) => {
      const path = new URL(request.url).pathname.replace('/api/v1/auth/', '')
      if (path === 'logout') await held.promise
      requests.push(path)
      return Response.json(inCookie())
    }
    const gateway = connect({ wallet: provider, cookie: true, fetch })
    const seen: unknown[] = []
    gateway.onSession((session) => seen.push(session?.wallet))
    expect((await gateway.session())?.token).toBe('csrf')
    expect(seen).toEqual([account.address.toLowerCase()])
    emit('accountsChanged', [`0x${'7'.repeat(40)}`])
    const verified = gateway.verify({ message: 'of another library', signature: '0x' })
    for (let rounds = 0; rounds < 20; rounds++) await new Promise(setImmediate)
    held.resolve()
    await verified
    expect(requests).toEqual(['me', 'logout', 'verify'])
  })
})

/** The answer about a session in a cookie. */
const inCookie = () => ({
  csrfToken: 'csrf',
  wallet: account.address.toLowerCase(),
  chainId: 31_337,
  issuedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-01T01:00:00Z',
})

describe('a session that tabs have in common', () => {
  it('ends in a tab that was loaded after it began', async () => {
    vi.stubGlobal('location', { origin: TEST_SITE })
    onTestFinished(() => void vi.unstubAllGlobals())
    const storage = memoryStorage()
    const one = connect({ storage })
    const { token } = await one.signIn()
    const other = connect({ storage })
    const ended = new Promise((resolve) => other.onSession(resolve))
    expect((await other.session())?.token).toBe(token)
    await one.logout()
    expect(await ended).toBeUndefined()
    expect(await other.session()).toBeUndefined()
  })
})

describe('the channel to other tabs', () => {
  /** Names of the channels that are open. */
  const watchChannels = () => {
    const open: string[] = []
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        readonly name: string
        constructor(name: string) {
          this.name = name
          open.push(name)
        }
        close() {
          open.splice(open.indexOf(this.name), 1)
        }
      },
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    return open
  }

  it('is open in a page whose tabs share the session, until its gateway is closed', () => {
    const open = watchChannels()
    vi.stubGlobal('location', { origin: TEST_SITE })
    const shared = connect({ storage: memoryStorage() })
    connect({ wallet: undefined, storage: memoryStorage() })
    connect()
    expect(open).toEqual(['claim-financing-session http://gateway.test'])
    shared.close()
    expect(open).toEqual([])
  })

  it('is not opened outside of a page, where it would connect the gateways of different visitors', () => {
    const open = watchChannels()
    connect({ storage: memoryStorage() })
    expect(open).toEqual([])
  })
})

describe('a kept route', () => {
  it('sends the wallet no request after its signal aborted the wait for the gateway', async () => {
    const storage = memoryStorage()
    const prepared = { executionId: HASH, deadline: '2100-01-01T00:00:00Z' }
    const kept = JSON.stringify({ prepared, request: {} })
    storage.setItem('claim-financing-route http://gateway.test', kept)
    const leaving = new AbortController()
    const fetch = async () => {
      leaving.abort(new Error('left'))
      const problem = { code: 'EXECUTION_NOT_FOUND', detail: 'none', status: 404 }
      return Response.json(problem, { status: 404 })
    }
    const gateway = connect({ storage, fetch })
    await expect(gateway.resumeRoute({ signal: leaving.signal })).rejects.toThrow('left')
    expect(gateway.interruptedRoute()).toEqual(JSON.parse(kept))
  })
})

describe('a session in a cookie', () => {
  it('is found once the gateway answers, and lasts from the time of the request', async () => {
    const start = Date.now()
    let now = start
    const refusal = (code: string, status: number) => () =>
      Response.json({ code, detail: 'try again', status }, { status })
    const outages = [
      () => Response.error(),
      refusal('DATABASE_UNAVAILABLE', 503),
      refusal('RATE_LIMITED', 429),
    ]
    const answers = [...outages, () => Response.json(inCookie())]
    const fetch = async () => {
      now += 20_000
      return answers.shift()?.() ?? Response.error()
    }
    const gateway = connect({
      wallet: undefined,
      cookie: '__Host-session=of a visitor',
      fetch,
      now: () => now,
    })
    for (const _ of outages) expect(await gateway.session()).toBeUndefined()
    expect((await gateway.session())?.expiresAt).toBe(start + 20_000 * outages.length + 3_600_000)
  })

  it('is looked for once where the gateway knows of none', async () => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      return Response.json({ code: 'UNAUTHENTICATED', detail: 'sign in', status: 401 }, { status: 401 })
    }
    const gateway = connect({ wallet: undefined, cookie: '__Host-session=of a visitor', fetch })
    for (const _ of [1, 2]) expect(await gateway.session()).toBeUndefined()
    expect(requests).toBe(1)
  })

  it('can begin after the logout of the previous session failed', async () => {
    const other = `0x${'7'.repeat(40)}`
    let address = account.address.toLowerCase()
    const switching: Eip1193Provider = {
      request: async (call) => (call.method === 'eth_accounts' ? [address] : wallet.request(call)),
    }
    const requests: string[] = []
    const fetch = async ({ url }: Request) => {
      requests.push(new URL(url).pathname.replace('/api/v1/auth/', ''))
      if (url.endsWith('/logout')) throw new TypeError('the connection was lost')
      return Response.json({ ...inCookie(), wallet: address })
    }
    const gateway = connect({ wallet: switching, cookie: true, fetch })
    await gateway.session()
    address = other
    expect(await gateway.session()).toBeUndefined()
    const signed = { message: 'of another library', signature: '0x' } as const
    expect((await gateway.verify(signed)).wallet).toBe(other)
    expect(requests).toEqual(['me', 'logout', 'verify'])
  })

  it('is that of no visitor without a wallet', async () => {
    const requests: string[] = []
    const fetch = async ({ url }: Request) => {
      requests.push(url)
      return Response.json(inCookie())
    }
    expect(await connect({ wallet: undefined, cookie: true, fetch }).session()).toBeUndefined()
    expect(requests).toEqual([])
  })

  it('does not begin where the gateway answers with a token', async () => {
    const app = createGateway(store)
    // A proxy, or an older gateway, that does not take the wish for a cookie.
    const fetch = async (request: Request) => {
      if (!request.url.endsWith('/auth/verify')) return app.fetch(request)
      const { message, signature }: { message?: string; signature?: string } = await request.json()
      const body = JSON.stringify({ message, signature })
      return app.fetch(new Request(request.url, { method: 'POST', headers: request.headers, body }))
    }
    const gateway = connect({ cookie: true, fetch })
    await expect(gateway.signIn()).rejects.toThrow('another kind of session')
    expect(await gateway.session()).toBeUndefined()
  })
})

describe('following a transaction', () => {
  it('waits out a limit for the seconds that the gateway asks for', async () => {
    const app = createGateway(store, { env: { RATE_LIMIT_DEFAULT: '1' } })
    const waits: number[] = []
    const leaving = new AbortController()
    const fetch = async (request: Request) => {
      const response = await app.fetch(request)
      if (response.status === 429) waits.push(Number(response.headers.get('Retry-After')) * 1000)
      if (waits.length === 2) leaving.abort()
      return response
    }
    const gateway = connect({ fetch })
    await gateway.me().catch(() => {})
    const delays: number[] = []
    const start = globalThis.setTimeout
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
      delays.push(ms)
      return start(run, ms === waits[0] ? 0 : ms)
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const followed = gateway.follow(HASH, { pollMs: 1, signal: leaving.signal })
    await expect(followed).rejects.toThrow('aborted')
    expect(waits[0]).toBeGreaterThan(60_000)
    expect(delays).toContain(waits[0])
  })

  it('waits out an outage that names no time', async () => {
    const answers: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      async () => new Response('<html>', { status: 502 }),
      async () => Response.json(transaction('MINED')),
      async () => Response.json(transaction('PROJECTED')),
    ]
    const statuses: string[] = []
    const fetch = async ({ url }: Request) =>
      url.endsWith('/graphql')
        ? new Response('<html>', { status: 502 })
        : ((await answers.shift()?.()) ?? Response.error())
    const gateway = connect({ fetch })
    const followed = await gateway.follow(HASH, {
      pollMs: 1,
      onStatus: ({ status }) => statuses.push(status),
    })
    expect(followed.status).toBe('PROJECTED')
    expect(statuses).toEqual(['MINED', 'PROJECTED'])
  })

  it('does not wait for a gateway that is not there', async () => {
    const gateway = connect({ fetch: async () => new Response('<html>', { status: 404 }) })
    await expect(gateway.follow(HASH, { pollMs: 1 })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      status: 404,
    })
  })

  it('ends at its time limit and at the caller’s signal, also in the middle of a request or a pause', async () => {
    const silent = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
    const mined = async () => Response.json(transaction('MINED'))
    for (const fetch of [silent, mined]) {
      const gateway = connect({ fetch })
      const late = gateway.follow(HASH, { pollMs: NEVER_MS, timeoutMs: 20 })
      await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' })
      const stopped = gateway.follow(HASH, { pollMs: NEVER_MS, signal: AbortSignal.timeout(20) })
      await expect(stopped).rejects.toThrow('timeout')
    }
  })
})

const HASH: Hash = `0x${'ab'.repeat(32)}`
const NEVER_MS = 2 ** 31 - 1

/** As the gateway answers for it, in the parts that following reads. */
const transaction = (status: string) => ({ hash: HASH, status, revert: null })
