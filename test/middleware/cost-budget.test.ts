import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../api/config/config.ts'
import { toCodedError, toProblem } from '../../api/errors.ts'
import type { AppEnv } from '../../api/http/env.ts'
import { costBudget } from '../../api/limits/cost-budget.ts'
import { rateLimitHeaders } from '../../api/limits/rate-limit.ts'
import { createMetrics, type Metrics } from '../../api/metrics/metrics.ts'
import { pointsOfTime, requireFastPlan } from '../../api/projection/session/plan-cost.ts'

const QUOTA = 20_000
const UNUSED = { id: 'id', signedBy: 'KEY', issuedAt: 0, expiresAt: 0 } as const

/** A gateway with a budget of `QUOTA` in an hour, and of twice that for all wallets of an address. */
function gateway(clock: () => number = () => 0, metrics?: Metrics) {
  const settings = parseConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://unused',
    RPC_URLS: 'http://127.0.0.1:1',
    CHAIN_ID: '31337',
    RATE_LIMIT_WINDOW_SECONDS: '3600',
    RATE_LIMIT_ADDRESS_FACTOR: '2',
  })
  const config = { ...settings, rateLimitCost: QUOTA }
  const app = new Hono<AppEnv>()
  app.use(rateLimitHeaders(settings))
  app.use(async (c, next) => {
    const wallet = c.req.header('wallet')
    const session = { wallet: `0x${wallet}` as const, ...UNUSED }
    c.set('authentication', wallet ? { session } : { isAnonymous: true })
    c.set('costTimes', Number(c.req.query('times') ?? 1))
    c.set('metrics', metrics)
    await next()
  })
  app.use(costBudget({ config, clock }))
  app.get('/:points', (c) => {
    c.get('spend')(Number(c.req.param('points')))
    c.get('settle')(Number(c.req.query('more') ?? 0))
    return c.text('answered')
  })
  app.onError((thrown, c) => {
    const error = toCodedError(thrown)
    return c.json(toProblem(error, 'id'), error.status, { 'Retry-After': String(error.retryAfter) })
  })
  return (points: number, address: string, wallet?: string, more = 0, times = 1) =>
    app.request(
      `/${points}?more=${more}&times=${times}`,
      { headers: wallet ? { wallet } : {} },
      {
        incoming: { socket: { remoteAddress: address } },
      },
    )
}

describe('the budget of a client address', () => {
  it('is what its operations may cost in a window, and is announced', async () => {
    let now = 0
    const ask = gateway(() => now)
    const first = await ask(15_000, '192.0.2.1')
    expect(first.headers.get('RateLimit-Policy')).toBe('"cost";q=20000;w=3600')
    expect(first.headers.get('RateLimit')).toBe('"cost";r=5000;t=3600')
    now = 1_800_000
    const refused = await ask(5001, '192.0.2.1')
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1800'])
    expect(refused.headers.get('RateLimit')).toBe('"cost";r=5000;t=1800')
    expect(await refused.json()).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringMatching(
        /^The query costs 5001; 5000 of 20000 in 3600 seconds are left\. Wait 1800 seconds, /,
      ),
    })
    now = 3_600_000
    expect((await ask(20_000, '192.0.2.1')).status).toBe(200)
  })

  it('pays for no operation that is refused, so cheaper ones are answered', async () => {
    const ask = gateway()
    await ask(19_000, '192.0.2.1')
    expect((await ask(2000, '192.0.2.1')).status).toBe(429)
    expect((await ask(1000, '192.0.2.1')).status).toBe(200)
    expect((await ask(1, '192.0.2.1')).status).toBe(429)
  })

  it('is not that of another address or of a wallet', async () => {
    const ask = gateway()
    await ask(QUOTA, '192.0.2.1')
    expect((await ask(1, '192.0.2.1')).status).toBe(429)
    expect((await ask(1, '192.0.2.2')).status).toBe(200)
    expect((await ask(1, '192.0.2.1', 'a1')).status).toBe(200)
  })

  it('is not spent by the wallets of the address', async () => {
    const ask = gateway()
    expect((await ask(QUOTA, '192.0.2.1', 'a1')).status).toBe(200)
    expect((await ask(QUOTA, '192.0.2.1', 'b2')).status).toBe(200)
    expect((await ask(QUOTA, '192.0.2.1')).status).toBe(200)
  })
})

describe('what an operation turned out to take', () => {
  it('is given back where it is less, and is spent where it is more, without a refusal', async () => {
    const ask = gateway()
    const less = await ask(15_000, '192.0.2.1', undefined, -14_000)
    expect(less.headers.get('RateLimit')).toBe('"cost";r=19000;t=3600')
    const more = await ask(1000, '192.0.2.1', undefined, 30_000)
    expect([more.status, more.headers.get('RateLimit')]).toEqual([200, '"cost";r=0;t=3600'])
    expect((await ask(1, '192.0.2.1')).status).toBe(429)
  })

  it('counts as often as the operation', async () => {
    const ask = gateway()
    const { headers } = await ask(1000, '192.0.2.1', undefined, 500, 4)
    expect(headers.get('RateLimit')).toBe('"cost";r=14000;t=3600')
    const refused = await ask(3501, '192.0.2.1', undefined, 0, 4)
    expect((await refused.json()).detail).toMatch(/^The query costs 14004; 14000 of 20000 /)
  })

  it('gives nothing back to a window that has begun since', async () => {
    const ask = gateway()
    const { headers } = await ask(0, '192.0.2.1', undefined, -14_000)
    expect(headers.get('RateLimit')).toBe('"cost";r=20000;t=3600')
  })

  it('counts for the address of a wallet, too', async () => {
    const ask = gateway()
    await ask(QUOTA, '192.0.2.1', 'a1', 3 * QUOTA)
    expect((await ask(1, '192.0.2.1', 'b2')).status).toBe(429)
  })
})

it('time of the database costs 300 points a millisecond, and none where its clock was set back', () => {
  expect([pointsOfTime(2), pointsOfTime(0.001), pointsOfTime(-5)]).toEqual([600, 1, 0])
})

it('a plan may cost 100,000, and no more', () => {
  expect(() => requireFastPlan(100_000)).not.toThrow()
  expect(() => requireFastPlan(100_000.6)).toThrow(
    expect.objectContaining({ code: 'READ_TOO_SLOW', facts: { planCost: 100_001 } }),
  )
})

describe('RateLimit', () => {
  it('states the budget that has the least left', async () => {
    const ask = gateway()
    await ask(15_000, '192.0.2.1', 'a1')
    const ofWallet = await ask(QUOTA, '192.0.2.1', 'b2')
    expect(ofWallet.headers.get('RateLimit')).toBe('"cost";r=0;t=3600')
    const ofAddress = await ask(1000, '192.0.2.1', 'c3')
    expect(ofAddress.headers.get('RateLimit')).toBe('"cost-address";r=4000;t=3600')
  })

  it('states the seconds until its window ends, rounded up', async () => {
    let now = 0
    const ask = gateway(() => now)
    await ask(1, '192.0.2.1')
    now = 1_800_600
    expect((await ask(1, '192.0.2.1')).headers.get('RateLimit')).toBe('"cost";r=19998;t=1800')
  })
})

describe('the budget of an IPv6 network', () => {
  it('is that of two addresses for /56, and of four for /48', async () => {
    const ask = gateway()
    const spend = (group: string) => ask(QUOTA, `2001:db8:0:${group}::1`)
    expect([(await spend('1')).status, (await spend('2')).status]).toEqual([200, 200])
    const refused = await spend('3')
    expect([refused.status, refused.headers.get('RateLimit')]).toEqual([429, '"cost-network";r=0;t=3600'])
    expect([(await spend('101')).status, (await spend('201')).status]).toEqual([200, 200])
    expect((await spend('301')).status).toBe(429)
  })
})

describe('the budget of a wallet', () => {
  it('is the same at each of its addresses', async () => {
    const ask = gateway()
    await ask(QUOTA, '192.0.2.1', 'a1')
    expect((await ask(1, '192.0.2.2', 'a1')).status).toBe(429)
  })

  it('does not multiply with wallets: those of one address share a budget', async () => {
    const ask = gateway()
    await ask(QUOTA, '192.0.2.1', 'a1')
    await ask(QUOTA, '192.0.2.1', 'b2')
    const refused = await ask(1, '192.0.2.1', 'c3')
    expect([refused.status, refused.headers.get('RateLimit')]).toEqual([429, '"cost-address";r=0;t=3600'])
    expect((await ask(1, '192.0.2.2', 'c3')).status).toBe(200)
  })
})

it('a refusal is counted by the budget that refused, and nothing else is', async () => {
  const metrics = createMetrics([])
  const ask = gateway(() => 0, metrics)
  await ask(QUOTA, '192.0.2.1', 'a1')
  await ask(1, '192.0.2.1', 'a1')
  await ask(QUOTA, '192.0.2.1', 'b2')
  for (const wallet of ['c3', 'd4']) await ask(1, '192.0.2.1', wallet)
  const text = await metrics.registry.getSingleMetricAsString('gateway_rate_limited_total')
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'gateway_rate_limited_total{policy="cost"} 1',
    'gateway_rate_limited_total{policy="cost-address"} 2',
  ])
})

it('no sequence of operations spends more than the budget, and no operation within it is refused', async () => {
  const costs = fc.array(fc.integer({ min: 1, max: QUOTA }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(costs, async (list) => {
      const ask = gateway()
      let spent = 0
      for (const points of list) {
        const fits = spent + points <= QUOTA
        expect((await ask(points, '192.0.2.1')).status).toBe(fits ? 200 : 429)
        if (fits) spent += points
      }
    }),
    { numRuns: 50 },
  )
})
