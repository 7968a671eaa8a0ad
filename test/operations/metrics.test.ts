/** Metrics of the gateway, of which no client can create a series. */
import { setTimeout as pause } from 'node:timers/promises'
import { Counter } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createMetrics, type Metrics } from '../../api/metrics/metrics.ts'
import { exposeProcess } from '../../api/operations/process.ts'
import { createGateway } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

let store: Awaited<ReturnType<typeof createTestStore>>
let metrics: Metrics
let app: ReturnType<typeof createGateway>
beforeAll(async () => {
  store = await createTestStore()
  metrics = createMetrics(['Known'])
  app = createGateway(store, { metrics, env: { RATE_LIMIT_QUOTE: '1' } })
})
afterAll(() => store?.stop())

const ask = (query: string, operationName?: string, gateway = app) =>
  gateway.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, operationName }),
  })

/** The lines of one metric, without those of its help and type. */
async function linesOf(name: string, of = metrics): Promise<string[]> {
  const text = await of.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(name))
}

const counts = () => linesOf('gateway_request_duration_seconds_count')
const withoutValues = (lines: readonly string[]) => lines.map((line) => line.replace(/ \d+$/, ''))

describe('a request', () => {
  it('counts under the pattern of its route, its operation and its status', async () => {
    await ask('query Known { __typename }')
    await ask('{ __typename }')
    await app.request('/api/v1/health')
    await app.request(`/api/v1/claims/0x${'0'.repeat(64)}`)
    const line = (route: string, operation: string, status: number) =>
      `gateway_request_duration_seconds_count{route="${route}",operation="${operation}",status="${status}"} 1`
    expect((await counts()).sort()).toEqual(
      [
        line('GET /api/v1/claims/:claimId', '', 503),
        line('GET /api/v1/health', '', 200),
        line(`POST ${GRAPHQL_PATH}`, 'Known', 200),
        line(`POST ${GRAPHQL_PATH}`, 'other', 200),
      ].sort(),
    )
    expect(await linesOf('gateway_errors_total')).toEqual(['gateway_errors_total{code="NOT_READY"} 1'])
  })

  it('counts under the operation that its document runs, and so does its repetition', async () => {
    const own = createMetrics(['Known'])
    const gateway = createGateway(store, { metrics: own })
    for (let sent = 0; sent < 3; sent += 1)
      await ask('query Other { __typename } query Known { __typename }', 'Known', gateway)
    expect(await linesOf('gateway_request_duration_seconds_count', own)).toEqual([
      `gateway_request_duration_seconds_count{route="POST ${GRAPHQL_PATH}",operation="Known",status="200"} 3`,
    ])
  })

  it('of GraphQL that fails or is refused counts under the code of its error', async () => {
    const own = createMetrics([])
    const gateway = createGateway(store, { metrics: own })
    await ask('{ claims(first: 1) { totalCount } }', undefined, gateway)
    await ask('{ nope }', undefined, gateway)
    expect((await linesOf('gateway_errors_total', own)).toSorted()).toEqual([
      'gateway_errors_total{code="GRAPHQL_VALIDATION_FAILED"} 1',
      'gateway_errors_total{code="NOT_READY"} 1',
    ])
  })

  it('is in the bucket of its duration and in all larger ones, once each', async () => {
    const own = createMetrics([])
    for (const seconds of [0.001, 0.4, 11]) own.answered('GET /a', undefined, 200, seconds)
    own.answered('GET /b', undefined, 200, 0.2)
    const lines = await linesOf('gateway_request_duration_seconds', own)
    const ofA = lines.filter((line) => line.includes('route="GET /a"'))
    expect(
      ofA.map((line) => [/le="([^"]+)"/.exec(line)?.[1] ?? line.split('{')[0], line.split(' ').at(-1)]),
    ).toEqual([
      ['0.001', '1'],
      ['0.005', '1'],
      ['0.025', '1'],
      ['0.1', '1'],
      ['0.5', '2'],
      ['2.5', '2'],
      ['10', '2'],
      ['+Inf', '3'],
      ['gateway_request_duration_seconds_sum', '11.401'],
      ['gateway_request_duration_seconds_count', '3'],
    ])
    expect(await own.registry.metrics()).toContain('# TYPE gateway_request_duration_seconds histogram')
  })

  it('of a client that left is no error, in GraphQL either', async () => {
    const own = createMetrics([])
    const gateway = createGateway(store, { metrics: own })
    await gateway.request(GRAPHQL_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ claims(first: 1) { nodes { claimId } } }' }),
      signal: AbortSignal.abort(),
    })
    expect(await linesOf('gateway_errors_total', own)).toEqual([])
    const [line] = await linesOf('gateway_request_duration_seconds_count', own)
    expect(line).toContain('status="499"')
  })

  it('takes no more seconds than its client waits', async () => {
    const own = createMetrics([])
    const gateway = createGateway(store, { metrics: own })
    const began = performance.now()
    await gateway.request('/api/v1/vaults')
    const waited = (performance.now() - began) / 1000
    const [line = ''] = await linesOf('gateway_request_duration_seconds_sum', own)
    const seconds = Number(line.split(' ').at(-1))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(waited)
  })

  it('that no kept answer answers counts as one', async () => {
    const own = createMetrics([])
    await createGateway(store, { metrics: own }).request('/api/v1/vaults')
    expect(await linesOf('gateway_kept_answer', own)).toEqual([
      'gateway_kept_answer_hits_total 0',
      'gateway_kept_answer_misses_total 1',
      'gateway_kept_answer_bytes 0',
    ])
  })

  it('counts its refusal by a rate limit, by policy', async () => {
    const quote = () => app.request('/api/v1/quotes/preview', { method: 'POST' })
    await quote()
    expect((await quote()).status).toBe(429)
    expect(await linesOf('gateway_rate_limited_total')).toEqual([
      'gateway_rate_limited_total{policy="quote"} 1',
    ])
    expect(await linesOf('gateway_errors_total')).toContain('gateway_errors_total{code="RATE_LIMITED"} 1')
  })
})

describe('names that a client chooses', () => {
  it('make no series: of operations, paths and methods', async () => {
    await ask('query Hostile { __typename }')
    await ask('query Hostile { nothing }')
    await app.request('/hostile')
    const before = await counts()
    for (let i = 0; i < 200; i++) {
      await ask(`query Hostile${i} { __typename }`, `Hostile${i}`)
      await ask(`query Hostile${i} { nothing${i} }`)
      await app.request(`/hostile/${i}`)
      await app.request('/hostile', { method: `HOSTILE${i}` })
    }
    const after = await counts()
    expect(withoutValues(after)).toEqual(withoutValues(before))
    expect(after.join('\n')).toContain('operation="other",status="200"} 202')
  })

  it('make no series: of methods of nodes', async () => {
    const own = createMetrics([])
    own.called('eth_call', 'answered', 0.1)
    for (let i = 0; i < 100; i++) own.called(`eth_hostile${i}`, 'failed', 0.1)
    expect(await linesOf('gateway_rpc_duration_seconds_count', own)).toEqual([
      'gateway_rpc_duration_seconds_count{method="eth_call",outcome="answered"} 1',
      'gateway_rpc_duration_seconds_count{method="other",outcome="failed"} 100',
    ])
  })
})

it('each method of nodes that the gateway calls has a series of its own', async () => {
  const own = createMetrics([])
  const methods = [
    ...[
      'eth_blockNumber',
      'eth_call',
      'eth_chainId',
      'eth_estimateGas',
      'eth_getBalance',
      'eth_getBlockByHash',
    ],
    ...['eth_getBlockByNumber', 'eth_getCode', 'eth_getLogs', 'eth_getTransactionByHash'],
    ...['eth_getTransactionCount', 'eth_getTransactionReceipt'],
  ]
  for (const method of methods) own.called(method, 'answered', 0.1)
  expect(await linesOf('gateway_rpc_duration_seconds_count', own)).toEqual(
    methods.map((method) => `gateway_rpc_duration_seconds_count{method="${method}",outcome="answered"} 1`),
  )
})

describe('a value that is read with the metrics', () => {
  it('is absent while it is unknown', async () => {
    let value: number | undefined = 1
    metrics.gauge('test_gauge', 'Of this test.', () => value)
    expect(await linesOf('test_gauge')).toEqual(['test_gauge 1'])
    value = undefined
    expect(await linesOf('test_gauge')).toEqual([])
    value = 5
    expect(await linesOf('test_gauge')).toEqual(['test_gauge 5'])
  })

  it('is written anew each time', async () => {
    let total = 3
    let values: Record<string, number> = { a: 1, b: 2 }
    metrics.counter('test_total', 'Of this test.', () => total)
    metrics.gauges('test_gauges', 'Of this test.', 'kind', () => values)
    expect(await linesOf('test_')).toContain('test_gauges{kind="b"} 2')
    total = 7
    values = { a: 4 }
    expect(await linesOf('test_total')).toEqual(['test_total 7'])
    expect(await linesOf('test_gauges')).toEqual(['test_gauges{kind="a"} 4'])
    expect(metrics.registry.getSingleMetric('test_total')).toBeInstanceOf(Counter)
  })
})

describe('the delay of the event loop', () => {
  it('is that since it was read last', async () => {
    const own = createMetrics([])
    const began = performance.now()
    const stop = exposeProcess(own)
    const read = () => linesOf('nodejs_event_loop_delay_seconds', own)
    let before: string[] = []
    while (before.length === 0) {
      await pause(20)
      before = await read()
    }
    const passed = (performance.now() - began) / 1000
    expect(before).toHaveLength(3)
    for (const line of before) expect(Number(line.split(' ').at(-1))).toBeLessThanOrEqual(passed)
    // Nothing is measured before the next turn of the loop.
    expect(await read()).toEqual([])
    stop()
  })
})

it('the process states its times in seconds, and its memory in bytes', async () => {
  const own = createMetrics([])
  const stop = exposeProcess(own)
  const readValue = async (name: string) => Number((await linesOf(`${name} `, own))[0]?.split(' ').at(-1))
  const used = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const before = used()
  const processor = await readValue('process_cpu_seconds_total')
  expect(processor).toBeGreaterThanOrEqual(before)
  expect(processor).toBeLessThanOrEqual(used())
  expect(await readValue('process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1000, 2)
  // The system may take memory back meanwhile, but not nine tenths of it.
  const resident = await readValue('process_resident_memory_bytes')
  expect(resident).toBeGreaterThan(process.memoryUsage.rss() / 10)
  stop()
})
