/** Readiness has a status for machines and the state of each part for people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CodedError } from '../../api/errors.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { describeReadiness, explained, judgeReadiness, type Seen } from '../../api/rest/health/readiness.ts'
import { freePort } from '../support/anvil.ts'
import { createGateway } from '../support/gateway.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'
import { createTestStore } from '../support/store.ts'
import { sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const { databaseUrl, rpcUrl } = sharedWorld()

let gateway: ReadGateway
let empty: Awaited<ReturnType<typeof createTestStore>>
beforeAll(async () => {
  ;[gateway, empty] = await Promise.all([startReadGateway(), createTestStore()])
})
afterAll(() => Promise.all([gateway.stop(), empty.stop()]))

const readiness = z.strictObject({
  status: z.literal('ready'),
  finalizedThrough: z.object({ blockNumber: z.number(), timestamp: z.string() }),
  blocksBehind: z.number().nullable(),
  secondsBehind: z.number().nullable(),
  unchangedSince: z.iso.datetime(),
  audit: z.object({ state: z.enum(['RUNNING', 'STOPPED', 'ABSENT']) }),
  database: z.string(),
  projection: z.string(),
  chain: z.string(),
  auditor: z.string(),
})

describe('readiness', () => {
  it('says how far the projection is behind the finalized block', async () => {
    const response = await gateway.get('/health/ready')
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const ready = readiness.parse(await response.json())
    expect(ready.blocksBehind).toBeGreaterThanOrEqual(0)
    expect(ready.secondsBehind).toBeGreaterThanOrEqual(0)
    expect([ready.audit.state, ready.auditor]).toEqual(['ABSENT', expect.stringMatching(/^never ran/)])
    expect(ready.database).toBe('answers')
    expect(ready.projection).toBe(`is complete through finalized block ${ready.finalizedThrough.blockNumber}`)
    expect(ready.chain).toMatch(/^has finalized block \d+, \d+ ahead of the projection$/)
  })

  it('is looked at once for all probes of a second, and again for the next', async () => {
    const proxy = await startRecordingProxy(rpcUrl)
    let now = 1_800_000_000_000
    const app = createGateway(empty, { rpcUrl: proxy.url, projectionUrl: databaseUrl, clock: () => now })
    const probe = async () => (await app.request('/api/v1/health/ready')).status
    const probes = () => Promise.all(Array.from({ length: 50 }, probe))
    expect(new Set(await probes())).toEqual(new Set([200]))
    now += 999
    expect(await probe()).toBe(200)
    expect(proxy.requests).toHaveLength(1)
    now += 1
    await probes()
    expect(proxy.requests).toHaveLength(2)
    // The clock is set back: the age of the result is known within a second only.
    now -= 999
    expect(await probe()).toBe(200)
    expect(proxy.requests).toHaveLength(2)
    now -= 1
    await probes()
    expect(proxy.requests).toHaveLength(3)
    await proxy.stop()
  })

  it('that failed is looked at again within a second, too', async () => {
    const line = await startProxy(new URL(databaseUrl))
    const through = new URL(databaseUrl)
    through.port = new URL(line.url).port
    let now = 1_800_000_000_000
    const app = createGateway(empty, { rpcUrl, projectionUrl: through.href, clock: () => now })
    const probe = async () => (await app.request('/api/v1/health/ready')).status
    line.cut()
    expect(await probe()).toBe(503)
    line.mend()
    expect(await probe()).toBe(503)
    now += 1000
    expect(await probe()).toBe(200)
    line.cut()
    now += 1000
    expect(await probe()).toBe(503)
    line.stop()
  })

  it('outlives the chain: what the projection answers, it still answers', async () => {
    const alone = await startReadGateway({ RPC_URLS: `http://127.0.0.1:${await freePort()}` })
    try {
      const response = await alone.get('/health/ready')
      expect(response.status).toBe(200)
      const ready = readiness.parse(await response.json())
      expect([ready.blocksBehind, ready.chain]).toEqual([null, expect.stringMatching(/^does not answer/)])
    } finally {
      await alone.stop()
    }
  })

  it('waits for a chain that is silent no longer than it may, and reports it as such', async () => {
    const line = await startProxy(new URL(rpcUrl))
    line.hold()
    const env = { READY_CHAIN_TIMEOUT_MS: '50' }
    const app = createGateway(empty, { rpcUrl: line.url, projectionUrl: databaseUrl, env })
    const response = await app.request('/api/v1/health/ready')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      blocksBehind: null,
      secondsBehind: null,
      chain: expect.stringMatching(/^does not answer/),
    })
    line.release()
    line.stop()
  })

  it('states since when this process has seen the block of the projection', async () => {
    const database = await createDatabase()
    const admin = createPool(database.urls.indexer, 1)
    const checkpointOf = (block: number) =>
      `${1_700_000_000 + block}${'31337'.padStart(16, '0')}${`${block}`.padStart(16, '0')}${'9'.repeat(33)}`
    await admin.query(`
      create table projection.router ();
      create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
      create table projection._ponder_checkpoint as select '${checkpointOf(1)}' as latest_checkpoint`)
    let now = 1_800_000_000_000
    const env = { READY_BLOCKS_BEHIND_MAX: '1000000', READY_SECONDS_BEHIND_MAX: '1000000000' }
    const options = { rpcUrl, projectionUrl: database.urls.gateway, env, clock: () => now }
    const app = createGateway(empty, options)
    const probe = async () => {
      const { unchangedSince, finalizedThrough } = await (await app.request('/api/v1/health/ready')).json()
      return [finalizedThrough.blockNumber, Date.parse(unchangedSince)]
    }
    const first = now
    expect(await probe()).toEqual([1, first])
    now += 60_000
    expect(await probe()).toEqual([1, first])
    await admin.query(`update projection._ponder_checkpoint set latest_checkpoint = '${checkpointOf(2)}'`)
    now += 60_000
    expect(await probe()).toEqual([2, now])
    const second = now
    now += 60_000
    expect(await probe()).toEqual([2, second])
    await admin.end()
    await database.drop()
  })

  it('is a 503 before the first index, with what is missing in words', async () => {
    const app = createGateway(empty, { rpcUrl })
    const response = await app.request('/api/v1/health/ready')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      code: 'NOT_READY',
      database: 'answers',
      projection: 'has no complete index yet',
      chain: expect.stringMatching(/^has finalized block \d+$/),
    })
  })

  it('is a 503 without the database, while the process says that it lives', async () => {
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`
    const app = createGateway(empty, { rpcUrl, projectionUrl: url })
    const response = await app.request('/api/v1/health/ready')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      database: 'does not answer',
      projection: 'is out of reach with the database',
    })
    expect((await app.request('/api/v1/health')).status).toBe(200)
  })
})

describe('a projection that is behind', () => {
  const bounds = {
    readyBlocksBehindMax: 50,
    readySecondsBehindMax: 600,
    unreadyOnDifferences: 'none' as const,
  }
  const audit = {
    state: 'ABSENT' as const,
    through: undefined,
    at: undefined,
    differenceCount: 0,
    missingLogCount: 0,
    differences: [],
  }
  const judge = (blocks: bigint, seconds: bigint) =>
    judgeReadiness(
      {
        through: { blockNumber: 1_000n, timestamp: 9_000n },
        head: { number: 1_000n + blocks, timestamp: 9_000n + seconds },
        audit,
        unchangedSince: new Date(0),
      },
      bounds,
    )?.code

  it.each<[blocks: bigint, seconds: bigint, code: string | undefined]>([
    [50n, 600n, undefined],
    [51n, 0n, 'PROJECTION_BEHIND'],
    [0n, 601n, 'PROJECTION_BEHIND'],
    [51n, 601n, 'PROJECTION_BEHIND'],
    // A node behind that of the indexer.
    [-60n, -700n, undefined],
  ])('by %i blocks and %i seconds has the error %s', (blocks, seconds, code) => {
    expect(judge(blocks, seconds)).toBe(code)
  })
})

describe('differences that the auditor found', () => {
  const judge = (
    unreadyOnDifferences: 'missing-logs' | 'any' | 'none',
    differenceCount: number,
    missingLogCount: number,
  ) => {
    const found = { differenceCount, missingLogCount, differences: [] }
    const refusal = judgeReadiness(
      {
        through: { blockNumber: 1_000n, timestamp: 9_000n },
        head: null,
        audit: { state: 'RUNNING', through: undefined, at: undefined, ...found },
        unchangedSince: new Date(0),
      },
      { readyBlocksBehindMax: 50, readySecondsBehindMax: 600, unreadyOnDifferences },
    )
    return refusal && [refusal.code, refusal.retryAfter, refusal.facts.differenceCount]
  }
  const differs = (count: number) => ['PROJECTION_DIFFERS', 5, count]

  it('count by the setting: missing events, any, or none', () => {
    expect([judge('missing-logs', 2, 0), judge('missing-logs', 2, 1)]).toEqual([undefined, differs(2)])
    expect([judge('any', 0, 0), judge('any', 2, 0)]).toEqual([undefined, differs(2)])
    expect(judge('none', 2, 1)).toBeUndefined()
  })
})

describe('the state of each part', () => {
  const first = {
    kind: 'WRONG_VALUE',
    entity: 'claim',
    key: '0x0a',
    field: 'faceValue',
    projected: '5',
    onChain: null,
    block: 995n,
    firstSeen: 8_400n,
  } as const
  const second = { ...first, kind: 'MISSING_LOGS', key: '0x0b', projected: null, onChain: '7' } as const
  const seen: Seen = {
    through: { blockNumber: 1_000n, timestamp: 9_000n },
    head: { number: 1_003n, timestamp: 9_036n },
    audit: {
      state: 'RUNNING',
      through: { blockNumber: 998n, timestamp: 8_976n },
      at: 9_001n,
      differenceCount: 12,
      missingLogCount: 4,
      differences: [first, second],
    },
    unchangedSince: new Date(9_002_000),
  }
  const withAudit = (change: Partial<Seen['audit']>): Seen => ({
    ...seen,
    audit: { ...seen.audit, ...change },
  })

  it('of a gateway that is ready has the lag, the audit and its differences', () => {
    expect(describeReadiness(seen)).toEqual({
      status: 'ready',
      finalizedThrough: { blockNumber: 1_000, timestamp: '1970-01-01T02:30:00Z' },
      blocksBehind: 3,
      secondsBehind: 36,
      unchangedSince: '1970-01-01T02:30:02.000Z',
      audit: {
        state: 'RUNNING',
        through: { blockNumber: 998, timestamp: '1970-01-01T02:29:36Z' },
        at: '1970-01-01T02:30:01Z',
        differenceCount: 12,
        missingLogCount: 4,
        differences: [first, second].map((one) => ({
          ...one,
          block: 995,
          firstSeen: '1970-01-01T02:20:00Z',
        })),
      },
      database: 'answers',
      projection: 'is complete through finalized block 1000',
      chain: 'has finalized block 1003, 3 ahead of the projection',
      auditor: 'has compared all changes through block 998 and found 12 differences',
    })
  })

  it('has the auditor as stopped, or as one that never ran', () => {
    const auditorOf = (change: Partial<Seen['audit']>) => describeReadiness(withAudit(change)).auditor
    const found = 'has compared all changes through block 998 and found 12 differences'
    expect(auditorOf({ state: 'STOPPED' })).toBe(`stopped; it ${found}`)
    const never = 'never ran: nothing compares the projection with the chain'
    expect([auditorOf({ state: 'ABSENT' }), auditorOf({ through: undefined })]).toEqual([never, never])
  })

  it('is in the facts of a refusal, with the first difference', () => {
    const factsOf = (of: Seen) => {
      const bounds = {
        readyBlocksBehindMax: 2,
        readySecondsBehindMax: 600,
        unreadyOnDifferences: 'none',
      } as const
      const refusal = judgeReadiness(of, bounds)
      return [refusal?.code, refusal?.retryAfter, refusal?.facts]
    }
    const { status: _, audit: __, ...described } = describeReadiness(seen)
    const facts = { ...described, finalizedThrough: 1_000, differenceCount: 12, missingLogCount: 4 }
    const difference =
      'WRONG_VALUE: claim 0x0a, faceValue is 5 in the projection and nothing on chain at block 995'
    expect(factsOf(seen)).toEqual(['PROJECTION_BEHIND', 5, { ...facts, firstDifference: difference }])
    expect(factsOf(withAudit({ differences: [second] }))[2]).toMatchObject({
      firstDifference:
        'MISSING_LOGS: claim 0x0b, faceValue is nothing in the projection and 7 on chain at block 995',
    })
    expect(factsOf(withAudit({ differences: [] }))[2]).toMatchObject({ firstDifference: null })
  })

  it('is added to an error of the database or of the projection, which keeps its time to wait', () => {
    const gone = explained(new CodedError('DATABASE_UNAVAILABLE', 'gone', { retryAfter: 3 }), { number: 7n })
    expect([gone.code, gone.message, gone.retryAfter, gone.facts]).toEqual([
      'DATABASE_UNAVAILABLE',
      'gone',
      3,
      {
        database: 'does not answer',
        projection: 'is out of reach with the database',
        chain: 'has finalized block 7',
      },
    ])
    expect(explained(new CodedError('NOT_READY', 'not yet'), null)).toMatchObject({
      retryAfter: undefined,
      facts: { database: 'answers', chain: expect.stringMatching(/^does not answer/) },
    })
    const internal = new CodedError('INTERNAL', 'failed')
    expect(explained(internal, { number: 7n })).toBe(internal)
  })
})
