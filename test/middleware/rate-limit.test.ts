import { Hono } from 'hono'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RatePolicy } from '../../api/config.ts'
import { parseConfig } from '../../api/config.ts'
import { CodedError, toCodedError, toProblem } from '../../api/errors.ts'
import type { AppEnv } from '../../api/middleware/env.ts'
import { rateLimit } from '../../api/middleware/rate-limit.ts'
import { createPool } from '../../api/projection/database.ts'
import { createStore } from '../../api/store/database.ts'
import { createTestStore } from '../support/store.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
/** What of a session does not matter here. */
const UNUSED = { signedBy: 'KEY', issuedAt: 0, expiresAt: 0 } as const

let world: Awaited<ReturnType<typeof createTestStore>>

beforeAll(async () => {
  world = await createTestStore()
})
beforeEach(() => world.store.deleteFrom('walletRateLimit').execute())
afterAll(() => world.stop())

/** A gateway of its own around the shared database, with three requests in a window; the header `wallet` signs in. */
function replica(limits: Partial<Record<RatePolicy, number>> = {}, trustedProxies = 0) {
  const settings = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: world.url,
    RPC_URLS: 'http://127.0.0.1:1',
    CHAIN_ID: '31337',
  })
  const rateLimits = { default: 3, prepare: 2, quote: 2, 'sign-in': 1, ...limits }
  const config = { ...settings, rateLimits, trustedProxies }
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    const wallet = c.req.header('wallet')
    const session = { wallet: wallet === 'alice' ? alice : bob, ...UNUSED }
    const refusal = new CodedError('UNAUTHENTICATED', 'no token')
    c.set('authentication', wallet ? { session } : { refusal })
    await next()
  })
  app.use(rateLimit({ config, store: world.store, clock: Date.now }))
  app.all('*', (c) => c.text('ok'))
  app.onError((thrown, c) => {
    const error = toCodedError(thrown)
    return c.json(toProblem(error, 'id'), error.status, { 'Retry-After': String(error.retryAfter) })
  })
  return app
}

const as = (wallet: 'alice' | 'bob') => ({ headers: { wallet } })
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

async function statuses(times: number, send: () => Response | Promise<Response>): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < times; index++) found.push((await send()).status)
  return found
}

describe('a wallet', () => {
  it('is refused past its limit, told how long to wait, and what the limit is', async () => {
    const app = replica()
    expect(await statuses(3, () => app.request('/vaults', as('alice')))).toEqual([200, 200, 200])
    const refused = await app.request('/vaults', as('alice'))
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    const wait = Number(refused.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(refused.headers.get('RateLimit-Policy')).toBe('"default";q=3;w=60')
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${wait}`)
  })

  it('is counted over all replicas, while another wallet passes on both', async () => {
    const replicas = [replica(), replica()]
    const storm = replicas.flatMap((app) =>
      Array.from({ length: 20 }, () => app.request('/vaults', as('alice'))),
    )
    const answers = await Promise.all(storm)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const app of replicas) expect((await app.request('/vaults', as('bob'))).status).toBe(200)
  })

  it('is not held back by what its address did without a token', async () => {
    const app = replica()
    expect(await statuses(4, () => app.request('/vaults'))).toEqual([200, 200, 200, 429])
    expect((await app.request('/vaults', as('alice'))).status).toBe(200)
  })

  it('starts again when the window is over', async () => {
    const app = replica()
    expect(await statuses(4, () => app.request('/vaults', as('alice')))).toEqual([200, 200, 200, 429])
    await world.pool.query("update gateway.wallet_rate_limit set resets_at = now() - interval '1 second'")
    const fresh = await app.request('/vaults', as('alice'))
    expect(fresh.headers.get('RateLimit')).toMatch(/^"default";r=2;t=/)
  })

  it('gets a 503, not a free pass, while the counts cannot be kept', async () => {
    const closed = createPool('postgres://127.0.0.1:1/none', 1)
    const config = parseConfig({
      NODE_ENV: 'test',
      DATABASE_URL: world.url,
      RPC_URLS: 'http://127.0.0.1:1',
      CHAIN_ID: '1',
    })
    const app = new Hono<AppEnv>()
    app.use(async (c, next) => {
      c.set('authentication', { session: { wallet: alice, ...UNUSED } })
      await next()
    })
    app.use(rateLimit({ config, store: createStore(closed), clock: Date.now }))
    app.get('/vaults', (c) => c.text('ok'))
    app.onError((thrown, c) => c.json({}, toCodedError(thrown).status))
    expect((await app.request('/vaults')).status).toBe(503)
    await closed.end()
  })
})

describe('the policies', () => {
  it('count sign-in, prepares and all else apart', async () => {
    const app = replica()
    const policy = async (path: string) =>
      (await app.request(path, as('alice'))).headers.get('RateLimit-Policy')
    expect(await policy('/api/v1/auth/nonce')).toBe('"sign-in";q=1;w=60')
    expect(await policy('/api/v1/auth/me')).toBe('"default";q=3;w=60')
    for (const path of ['routes/optimize', 'routes/0x1/prepare-execution', 'settlements/0x1/prepare']) {
      expect(await policy(`/api/v1/${path}`)).toBe('"prepare";q=2;w=60')
    }
    expect((await app.request('/api/v1/vaults', as('alice'))).status).toBe(200)
  })

  it('leave probes alone', async () => {
    const app = replica()
    expect(await statuses(9, () => app.request('/api/v1/health'))).toEqual(Array(9).fill(200))
  })
})

describe('a client without a token', () => {
  it('is counted by the address of its connection', async () => {
    const app = replica()
    const send = (address: string) => app.request('/vaults', {}, from(address))
    expect(await statuses(4, () => send('192.0.2.1'))).toEqual([200, 200, 200, 429])
    expect((await send('192.0.2.2')).status).toBe(200)
    expect((await send('::ffff:192.0.2.1')).status).toBe(429)
  })

  it('with an IPv6 address shares a limit with its /64 network', async () => {
    const app = replica()
    const send = (address: string) => app.request('/vaults', {}, from(address))
    const neighbours = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:DB8:0::3', '2001:db8::4%eth0']
    const found = []
    for (const address of neighbours) found.push((await send(address)).status)
    expect(found).toEqual([200, 200, 200, 429])
    expect((await send('2001:db8:0:1::1')).status).toBe(200)
  })

  it('cannot choose its address by a header when no proxy is trusted', async () => {
    const app = replica()
    let sent = 0
    const send = () =>
      app.request('/vaults', { headers: { 'X-Forwarded-For': `192.0.2.${sent++}` } }, from('198.51.100.1'))
    expect(await statuses(4, send)).toEqual([200, 200, 200, 429])
  })

  it('behind two trusted proxies is counted by what the outer one saw, whatever it claims itself', async () => {
    const app = replica({}, 2)
    let sent = 0
    const send = (client: string) =>
      app.request(
        '/vaults',
        { headers: { 'X-Forwarded-For': `10.9.9.${sent++}, ${client}, 10.0.0.1` } },
        from('10.0.0.2'),
      )
    expect(await statuses(4, () => send('192.0.2.1:4711'))).toEqual([200, 200, 200, 429])
    expect((await send('192.0.2.2')).status).toBe(200)
    expect((await send('[2001:db8::1]:4711')).status).toBe(200)
  })

  it('that did not come through the proxies, or whose header is garbage, is counted by its connection', async () => {
    const app = replica({}, 2)
    const headers = ['192.0.2.1', 'not an address, 10.0.0.1', '', ', ,']
    const found = []
    for (const header of headers) {
      const init = { headers: { 'X-Forwarded-For': header } }
      found.push((await app.request('/vaults', init, from('198.51.100.7'))).status)
    }
    expect(found).toEqual([200, 200, 200, 429])
  })
})
