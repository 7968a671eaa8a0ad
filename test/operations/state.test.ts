/** Values of the operations port by what is in use at the moment. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { exposeState } from '../../api/operations/state.ts'
import { createOptimizerPool } from '../../api/optimizer-pool/index.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { families } from '../../bench/optimizer/families.ts'
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
