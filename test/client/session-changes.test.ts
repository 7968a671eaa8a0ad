/** What happens to a session while nothing announces it: another chain, a clock that is wrong, an answer that comes late. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createGateway as createClient,
  type Eip1193Provider,
  type GatewayOptions,
} from '../../client/index.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import { createGateway, type TestStore } from '../auth/gateway.ts'
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
    const followed = gateway.follow(`0x${'ab'.repeat(32)}`, { pollMs: 1, signal: leaving.signal })
    await expect(followed).rejects.toThrow('aborted')
    expect(waits[0]).toBeGreaterThan(60_000)
    expect(delays).toContain(waits[0])
  })
})
