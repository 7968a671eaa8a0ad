import fc from 'fast-check'
import { Hono } from 'hono'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig, type RatePolicy } from '../../api/config/config.ts'
import { CodedError, toCodedError, toProblem } from '../../api/errors.ts'
import { startChain } from '../../api/http/define-middleware.ts'
import type { AppEnv } from '../../api/http/env.ts'
import type { RouteRules } from '../../api/http/route-rules.ts'
import { createMemoryCounts, KEYS_MAX } from '../../api/limits/memory-counts.ts'
import { addressCeiling, rateLimit, rateLimitHeaders } from '../../api/limits/rate-limit.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { createGateway } from '../support/gateway.ts'
import { bearer, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
/** Fields of a session that do not matter here. */
const UNUSED = { id: 'id', signedBy: 'KEY', issuedAt: 0, expiresAt: 0 } as const

let world: Awaited<ReturnType<typeof createTestStore>>

beforeAll(async () => {
  world = await createTestStore()
})
beforeEach(() => world.store.deleteFrom('walletRateLimit').execute())
afterAll(() => world.stop())

/** No test outlasts it, however busy the machine. */
const WINDOW_SECONDS = 3600

/** Limits of the routes below; all others have the default one. */
const LIMITS: Readonly<Record<string, RouteRules['limit']>> = {
  '/sign-in': 'sign-in',
  '/plan': 'prepare',
  '/prepare': 'prepare',
  '/probe': 'none',
}

type Options = { trustedProxies?: number; addressFactor?: number; clock?: () => number }

/** A gateway of its own around the shared database, with three requests in a window; the header `wallet` signs in. */
function replica(
  limits: Partial<Record<RatePolicy, number>> = {},
  { trustedProxies = 0, addressFactor = 1000, clock = Date.now }: Options = {},
) {
  const settings = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: world.url,
    RPC_URLS: 'http://127.0.0.1:1',
    CHAIN_ID: '31337',
  })
  const rateLimits = { default: 3, prepare: 2, quote: 2, 'sign-in': 1, ...limits }
  const config = {
    ...settings,
    rateLimits,
    trustedProxies,
    rateLimitAddressFactor: addressFactor,
    rateLimitWindowSeconds: WINDOW_SECONDS,
  }
  const app = new Hono<AppEnv>()
  app.use(rateLimitHeaders(config))
  app.use(async (c, next) => {
    c.set('rules', { access: 'public', limit: LIMITS[c.req.path] ?? 'default' })
    const wallet = c.req.header('wallet')
    const session = { wallet: toAddress(wallet), ...UNUSED }
    const refusal = new CodedError('UNAUTHENTICATED', 'no token')
    c.set('authentication', wallet ? { session } : { refusal })
    await next()
  })
  app.use(addressCeiling({ config, clock }), rateLimit({ config, store: world.store, clock }))
  app.all('*', (c) => c.text('ok'))
  app.onError((thrown, c) => {
    const error = toCodedError(thrown)
    return c.json(toProblem(error, 'id'), error.status, { 'Retry-After': String(error.retryAfter) })
  })
  return app
}

/** Address of `alice` or `bob`, or of a wallet that is named by its number. */
function toAddress(name: string | undefined): Address {
  if (name === 'alice') return alice
  return name === undefined || name === 'bob' ? bob : `0x${Number(name).toString(16).padStart(40, '0')}`
}

const as = (wallet: string) => ({ headers: { wallet } })
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

/** Interface specification, section 8. */
function expectedLimit(path: string): string {
  if (/^\/api\/v1\/health(\/ready)?$/.test(path)) return 'none'
  if (/^\/api\/v1\/auth\/(nonce|verify)$/.test(path)) return 'sign-in'
  if (path === '/api/v1/quotes/preview') return 'quote'
  return /\/(optimize|prepare|prepare-execution)$/.test(path) ? 'prepare' : 'default'
}

async function statuses(times: number, send: () => Response | Promise<Response>): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < times; index++) found.push((await send()).status)
  return found
}

describe('a wallet', () => {
  it('is refused past its limit, with the time to wait and the limit', async () => {
    const app = replica()
    expect(await statuses(3, () => app.request('/vaults', as('alice')))).toEqual([200, 200, 200])
    const refused = await app.request('/vaults', as('alice'))
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('Retry-After'))
    expect(await refused.json()).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      detail: `More than 3 such requests in 3600 seconds. Wait ${wait} seconds; RateLimit states the rest.`,
    })
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600)
    expect(refused.headers.get('RateLimit-Policy')).toBe('"default";q=3;w=3600')
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

  it('that keeps asking does not extend its window, and is served again when it ends', async () => {
    const app = replica()
    const windowEnd = async () =>
      (await world.store.selectFrom('walletRateLimit').select('resetsAt').executeTakeFirstOrThrow()).resetsAt
    expect(await statuses(1, () => app.request('/vaults', as('alice')))).toEqual([200])
    const end = await windowEnd()
    expect(await statuses(9, () => app.request('/vaults', as('alice')))).toEqual([
      200,
      200,
      ...Array(7).fill(429),
    ])
    expect(await windowEnd()).toEqual(end)
    await world.pool.query('update gateway.wallet_rate_limit set resets_at = now()')
    expect(await statuses(4, () => app.request('/vaults', as('alice')))).toEqual([200, 200, 200, 429])
    expect((await windowEnd()).getTime()).toBeGreaterThan(end.getTime())
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
      c.set('rules', { access: 'public', limit: 'default' })
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
    expect(await policy('/sign-in')).toBe('"sign-in";q=1;w=3600')
    expect(await policy('/session')).toBe('"default";q=3;w=3600')
    expect(await policy('/plan')).toBe('"prepare";q=2;w=3600')
    expect(await policy('/prepare')).toBe('"prepare";q=2;w=3600')
    expect(await policy('/plan')).toBe('"prepare";q=2;w=3600')
    expect(await statuses(3, () => app.request('/vaults', as('alice')))).toEqual([200, 200, 429])
  })

  it('leave probes alone', async () => {
    const app = replica()
    expect(await statuses(9, () => app.request('/probe'))).toEqual(Array(9).fill(200))
  })
})

describe('a client address', () => {
  it('serves fresh wallets up to its ceiling and none beyond, and another address goes on', async () => {
    const app = replica({}, { addressFactor: 2 })
    let wallets = 0
    const send = (address: string) => app.request('/vaults', as(String(wallets++)), from(address))
    expect(await statuses(7, () => send('192.0.2.1'))).toEqual([...Array(6).fill(200), 429])
    const refused = await send('192.0.2.1')
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' })
    expect(refused.headers.get('RateLimit-Policy')).toBe('"default-address";q=6;w=3600')
    expect(refused.headers.get('RateLimit')).toBe(
      `"default-address";r=0;t=${refused.headers.get('Retry-After')}`,
    )
    expect((await send('192.0.2.2')).status).toBe(200)
  })

  it('with IPv6 shares its ceiling with its /64 network', async () => {
    const app = replica({}, { addressFactor: 1 })
    let sent = 0
    const send = () => app.request('/vaults', as(String(sent++)), from(`2001:db8:0:1:${sent}::${sent}`))
    expect(await statuses(4, send)).toEqual([200, 200, 200, 429])
    expect((await app.request('/vaults', as('99'), from('2001:db8:0:2::1'))).status).toBe(200)
  })

  it('with IPv6 shares twice its ceiling with its /56 network, and four times with its /48 network', async () => {
    const app = replica({}, { addressFactor: 1 })
    let sent = 0
    const send = (group: string) => app.request('/vaults', as(String(sent++)), from(`2001:db8:0:${group}::1`))
    expect(await statuses(4, () => send('1'))).toEqual([200, 200, 200, 429])
    expect(await statuses(3, () => send('2'))).toEqual([200, 200, 200])
    const refused = await send('3')
    expect([refused.status, refused.headers.get('RateLimit-Policy')]).toEqual([
      429,
      '"default-network";q=6;w=3600',
    ])
    expect(await statuses(3, () => send('101'))).toEqual([200, 200, 200])
    expect(await statuses(3, () => send('201'))).toEqual([200, 200, 200])
    const last = await send('301')
    expect([last.status, last.headers.get('RateLimit-Policy')]).toEqual([
      429,
      '"default-network";q=12;w=3600',
    ])
  })

  it('has a ceiling for each policy, of which the expensive ones are lower', async () => {
    const app = replica({}, { addressFactor: 2 })
    let wallets = 0
    const send = (path: string) => app.request(path, as(String(wallets++)), from('192.0.2.1'))
    expect(await statuses(5, () => send('/plan'))).toEqual([200, 200, 200, 200, 429])
    expect(await statuses(7, () => send('/vaults'))).toEqual([...Array(6).fill(200), 429])
  })

  it('that keeps asking is served again when the window ends', async () => {
    let now = 1_800_000_000_000
    const app = replica({ default: 1 }, { addressFactor: 2, clock: () => now })
    let wallets = 0
    const send = () => app.request('/vaults', as(String(wallets++)), from('192.0.2.1'))
    expect(await statuses(2, send)).toEqual([200, 200])
    for (let minute = 1; minute < 60; minute++) {
      now += 60_000
      expect([minute, (await send()).status]).toEqual([minute, 429])
    }
    now += 59_999
    const refused = await send()
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect((await refused.json()).detail).toContain(' in 3600 seconds. Wait 1 seconds; ')
    now += 1
    expect(await statuses(3, send)).toEqual([200, 200, 429])
  })

  it('shows the tighter of its own limit and that of the wallet', async () => {
    const app = replica({}, { addressFactor: 2 })
    const shown = async (wallet: string) =>
      (await app.request('/vaults', as(wallet), from('192.0.2.1'))).headers.get('RateLimit')
    expect(await shown('alice')).toMatch(/^"default";r=2;/)
    expect(await shown('bob')).toMatch(/^"default";r=2;/)
    expect(await shown('1')).toMatch(/^"default";r=2;/)
    expect(await shown('2')).toMatch(/^"default";r=2;/)
    expect(await shown('3')).toMatch(/^"default-address";r=1;/)
    expect(await shown('4')).toMatch(/^"default-address";r=0;/)
  })

  it('is counted for what it sends without a token apart from what its wallets send', async () => {
    const app = replica({}, { addressFactor: 1 })
    expect(await statuses(4, () => app.request('/vaults', {}, from('192.0.2.1')))).toEqual([
      200, 200, 200, 429,
    ])
    expect((await app.request('/vaults', as('alice'), from('192.0.2.1'))).status).toBe(200)
  })

  it('signs in no more often with tokens of other wallets than without', async () => {
    const app = replica({ 'sign-in': 2 })
    let wallets = 0
    const send = () => app.request('/sign-in', as(String(wallets++)), from('192.0.2.1'))
    expect(await statuses(3, send)).toEqual([200, 200, 429])
  })
})

describe('the gateway', () => {
  it('counts each route against the limit that the specification states', async () => {
    const app = createGateway(world)
    const endpoints = app.routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
    for (const { method, path } of endpoints) {
      const { headers } = await app.request(path, { method })
      const limit = /^"([\w-]+)"/.exec(headers.get('RateLimit-Policy') ?? '')?.[1] ?? 'none'
      expect([path, limit]).toEqual([path, expectedLimit(path)])
    }
  })

  it('applies the ceiling of an address to wallets that signed in', async () => {
    const env = { RATE_LIMIT_DEFAULT: '2', RATE_LIMIT_ADDRESS_FACTOR: '2' }
    const app = createGateway(world, { env })
    const tokens = []
    for (let index = 0; index < 3; index++)
      tokens.push(await signIn(app, privateKeyToAccount(generatePrivateKey())))
    const found = []
    for (const token of [...tokens, ...tokens]) {
      found.push((await app.request('/api/v1/auth/me', bearer(token))).status)
    }
    expect(found).toEqual([200, 200, 200, 200, 429, 429])
  })
})

describe('the counts of addresses', () => {
  it('are bounded: a million addresses take the room of KEYS_MAX, and the newer half of those stays counted', () => {
    const counts = createMemoryCounts({ windowMs: 60_000, clock: () => 0 })
    let largest = 0
    for (let address = 0; address < 1_000_000; address++) {
      counts.count(String(address))
      largest = Math.max(largest, counts.size())
    }
    expect(largest).toBe(KEYS_MAX)
    for (let back = 1; back <= KEYS_MAX / 2; back++) {
      const { hits } = counts.count(String(1_000_000 - back))
      if (hits !== 2) expect([back, hits]).toEqual([back, 2])
    }
    expect(counts.count('0').hits).toBe(1)
  })

  it('forget windows that are over, and none before its end', () => {
    let now = 0
    const counts = createMemoryCounts({ windowMs: 1000, clock: () => now })
    counts.count('early')
    now = 999
    counts.count('late')
    expect([counts.count('early').hits, counts.size()]).toEqual([2, 2])
    now = 1998
    expect([counts.count('late').hits, counts.count('early').hits]).toEqual([2, 1])
    now = 1999
    expect(counts.count('late').hits).toBe(1)
    now = 5000
    counts.count('other')
    now = 6000
    counts.count('another')
    expect(counts.size()).toBe(2)
  })

  it('are those of one window for each key, whenever requests come', () => {
    const windowMs = 100
    const requests = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 60 })), {
      maxLength: 200,
    })
    fc.assert(
      fc.property(requests, (list) => {
        let now = 0
        const counts = createMemoryCounts({ windowMs, clock: () => now })
        const expected = new Map<string, { hits: number; resetsAt: number }>()
        for (const [key, pause] of list) {
          now += pause
          const before = expected.get(key)
          const isOpen = before !== undefined && now < before.resetsAt
          const after = isOpen ? { ...before, hits: before.hits + 1 } : { hits: 1, resetsAt: now + windowMs }
          expected.set(key, after)
          expect({ ...counts.count(key) }).toEqual(after)
        }
      }),
    )
  })

  it('outlive a clock that is set back by an hour', () => {
    let now = 3_600_000
    const counts = createMemoryCounts({ windowMs: 60_000, clock: () => now })
    expect(counts.count('a')).toEqual({ hits: 1, resetsAt: 3_660_000 })
    now = 0
    expect(counts.count('a')).toEqual({ hits: 1, resetsAt: 60_000 })
    expect(counts.count('a')).toEqual({ hits: 2, resetsAt: 60_000 })
    for (const later of [60_000, 120_000, 180_000]) {
      now = later
      counts.count(`at ${later}`)
    }
    // Those of the window before, which may be open, and of this one.
    expect(counts.size()).toBe(2)
  })
})

it('the headers state the limit on requests, then that on cost, each with its own values', async () => {
  const app = startChain()
    .use(rateLimitHeaders({ rateLimitWindowSeconds: 60 }))
    .createApp()
  app.get('/', (c) => {
    c.set('costLimit', { name: 'cost', quota: 900, remaining: 800, secondsLeft: 7 })
    c.set('limit', { name: 'default', quota: 5, remaining: 4, secondsLeft: 3 })
    return c.text('ok')
  })
  const { headers } = await app.request('/')
  expect(headers.get('RateLimit-Policy')).toBe('"default";q=5;w=60, "cost";q=900;w=60')
  expect(headers.get('RateLimit')).toBe('"default";r=4;t=3, "cost";r=800;t=7')
  expect((await app.request('/nothing')).headers.has('RateLimit')).toBe(false)
})

describe('a client without a token', () => {
  it('is counted by the address of its connection', async () => {
    const app = replica()
    const send = (address: string) => app.request('/vaults', {}, from(address))
    expect(await statuses(4, () => send('192.0.2.1'))).toEqual([200, 200, 200, 429])
    expect((await send('192.0.2.2')).status).toBe(200)
    expect((await send('::ffff:192.0.2.1')).status).toBe(429)
    expect((await send('::FFFF:c000:201')).status).toBe(429)
    expect((await send('::ffff:192.0.2.3')).status).toBe(200)
  })

  it('has a limit for each policy', async () => {
    const app = replica()
    const send = (path: string) => app.request(path, {}, from('192.0.2.1'))
    expect(await statuses(3, () => send('/plan'))).toEqual([200, 200, 429])
    expect(await statuses(4, () => send('/vaults'))).toEqual([200, 200, 200, 429])
    expect(await statuses(2, () => send('/sign-in'))).toEqual([200, 429])
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

  it('with an IPv6 address shares twice its limit with its /56 network', async () => {
    const app = replica()
    const send = (group: string) => app.request('/vaults', {}, from(`2001:db8:0:${group}::1`))
    expect(await statuses(3, () => send('1'))).toEqual([200, 200, 200])
    expect(await statuses(3, () => send('2'))).toEqual([200, 200, 200])
    expect((await send('3')).status).toBe(429)
    expect((await send('101')).status).toBe(200)
  })

  it('cannot choose its address by a header when no proxy is trusted', async () => {
    const app = replica()
    let sent = 0
    const send = () =>
      app.request('/vaults', { headers: { 'X-Forwarded-For': `192.0.2.${sent++}` } }, from('198.51.100.1'))
    expect(await statuses(4, send)).toEqual([200, 200, 200, 429])
  })

  it('behind two trusted proxies is counted by what the outer one saw, whatever it claims itself', async () => {
    const app = replica({}, { trustedProxies: 2 })
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
    const app = replica({}, { trustedProxies: 2 })
    const headers = ['192.0.2.1', 'not an address, 10.0.0.1', '', ', ,']
    const found = []
    for (const header of headers) {
      const init = { headers: { 'X-Forwarded-For': header } }
      found.push((await app.request('/vaults', init, from('198.51.100.7'))).status)
    }
    expect(found).toEqual([200, 200, 200, 429])
  })
})
