/**
 * Changes of a session that no event announces: another chain, a clock that is wrong, an answer that comes late.
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

const wallet = createAccountWallet(privateKeyToAccount(generatePrivateKey()), 'http://127.0.0.1:1')

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
