/** Values of the operations port by what is in use at the moment. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Unfinalized } from '../../api/head/unfinalized.ts'
import { NO_HEAD } from '../../api/head/watch-head.ts'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { exposeState } from '../../api/operations/state.ts'
import { createOptimizerPool } from '../../api/optimizer-pool/index.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { createIntent } from '../../api/store/route-intents.ts'
import { families } from '../../bench/optimizer/families.ts'
import { eventOf, hashOf, vault, viewOf, wallet } from '../head/views.ts'
import { startAnvil } from '../support/anvil.ts'
import { createEmptyProjection, EMPTY_AT } from '../support/empty-projection.ts'
import { createGatewayWithDeps, type TestStore } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await createTestStore()
})
afterAll(() => store.stop())

it('states the connections that are used, idle and waited for, and the searches that run and wait', async () => {
  const metrics = createMetrics([])
  const { deps } = createGatewayWithDeps(store, { env: { OPTIMIZER_THREADS: '2' } })
  const [pool, replica] = [createPool(store.url, 3), createPool(store.url, 1)]
  const optimizer = createOptimizerPool({ threads: 2, maxQueue: 3, onFault: () => {} })
  const close = exposeState(metrics, { ...deps, pool, replicas: [replica, pool], optimizer })
  /** Reads one metric at once, and no other. */
  const valuesOf = async (name: string) => {
    const text = await metrics.registry.getSingleMetricAsString(name)
    return text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : [line.slice(name.length)]))
  }

  const held = [await pool.connect(), await pool.connect(), await replica.connect()]
  held.pop()?.release()
  held.shift()?.release()
  expect(await valuesOf('gateway_pool_connections')).toEqual(['{state="used"} 1', '{state="idle"} 1'])
  expect(await valuesOf('gateway_replica_connections_used')).toEqual(['{replica="1"} 0', '{replica="2"} 1'])
  const all = [...held, await pool.connect(), await pool.connect()]
  const waiting = pool.connect()
  expect(await valuesOf('gateway_pool_waiting')).toEqual([' 1'])
  expect(await valuesOf('gateway_replica_waiting')).toEqual(['{replica="1"} 0', '{replica="2"} 1'])
  for (const connection of all) connection.release()
  ;(await waiting).release()

  const input = families.find(({ name, vaults }) => name === 'fixed lots' && vaults === 64)?.make(2)
  if (!input) throw new Error('the benchmark has no such family')
  expect(await valuesOf('gateway_optimizer_searches')).toEqual(['{state="running"} 0', '{state="waiting"} 0'])
  const leaving = new AbortController()
  const searches = Array.from({ length: 5 }, () => optimizer.optimize(input, leaving.signal))
  const ended = Promise.allSettled(searches)
  const counts = valuesOf('gateway_optimizer_searches')
  leaving.abort()
  await ended
  expect(await counts).toEqual(['{state="running"} 2', '{state="waiting"} 3'])
  await Promise.all([optimizer.close(), close(), pool.end(), replica.end()])
})

it('states the current view of the head and the current intents, and nothing about a head without a view', async () => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  let view: Unfinalized | undefined
  const head = { ...NO_HEAD, latest: () => view }
  const metrics = createMetrics([])
  const { deps } = createGatewayWithDeps(store, { clock: () => now, head, env: { OPTIMIZER_THREADS: '2' } })
  for (const [id, expiresAt] of [now, now + 1, now + 2].entries())
    await createIntent(store.store, intent(id, expiresAt))
  const optimizer = createOptimizerPool({ threads: 2, maxQueue: 1, onFault: () => {} })
  const close = exposeState(metrics, { ...deps, pool: store.pool, replicas: [], optimizer })
  const valuesOf = async (names: RegExp) =>
    (await metrics.registry.metrics()).split('\n').filter((line) => names.test(line))
  const ofHead = /^gateway_(latest_block|finality_seconds|unfinalized_events) /
  expect(await valuesOf(ofHead)).toEqual([])
  view = viewOf([eventOf('ClaimRegistered', 105n), eventOf('ClaimRegistered', 106n)])
  expect(await valuesOf(ofHead)).toEqual([
    'gateway_latest_block 110',
    'gateway_finality_seconds 900',
    'gateway_unfinalized_events 2',
  ])
  expect(await valuesOf(/^gateway_(route_intents|optimizer_threads)/)).toEqual([
    'gateway_optimizer_threads 2',
    'gateway_route_intents{state="PENDING"} 2',
    'gateway_route_intents{state="CONSUMED"} 0',
    'gateway_route_intents{state="ANSWERED"} 0',
    'gateway_route_intents{state="FAILED"} 0',
  ])
  await Promise.all([optimizer.close(), close()])
})

function intent(id: number, expiresAt: number) {
  return {
    routeId: hashOf(id),
    user: wallet,
    blockNumber: 100n,
    request: {
      claimIds: [hashOf(1)],
      targetAdvance: 1n,
      maxTotalFace: undefined,
      maxTotalCost: undefined,
      routeDeadlineSeconds: 300,
    },
    legs: [{ claimId: hashOf(1), vault, faceAmount: 1n }],
    createdAt: new Date(expiresAt - 120_000),
    expiresAt: new Date(expiresAt),
    userDeadline: BigInt(Math.floor(expiresAt / 1000)),
  }
}

it('states no lag below zero where a node is behind the projection', async () => {
  const projection = await createEmptyProjection()
  await projection.admin.query(
    `update projection._ponder_checkpoint
     set latest_checkpoint = '${EMPTY_AT}' || repeat('0', 16) || lpad('5', 16, '0') || repeat('9', 33)`,
  )
  const anvil = await startAnvil({ timestamp: Number(EMPTY_AT) - 60 })
  const metrics = createMetrics([])
  const env = { DATABASE_URL: projection.urls.gateway }
  const { deps } = createGatewayWithDeps(store, { env, rpcUrl: anvil.rpcUrl })
  const pool = createPool(store.url, 1)
  const optimizer = createOptimizerPool({ threads: 1, maxQueue: 1, onFault: () => {} })
  const close = exposeState(metrics, { ...deps, pool, replicas: [], optimizer })
  const text = await metrics.registry.metrics()
  expect(
    text.split('\n').filter((line) => /^gateway_(?:projection|finalized)_(?:block|lag_\w+) /.test(line)),
  ).toEqual([
    'gateway_projection_block 5',
    'gateway_finalized_block 0',
    'gateway_projection_lag_blocks 0',
    'gateway_projection_lag_seconds 0',
  ])
  await Promise.all([optimizer.close(), close(), pool.end()])
  await Promise.all([projection.drop(), anvil.stop()])
})
