/** The operations port of a gateway process, also while what it reports on is gone. */

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/anvil.ts'
import { createDatabase } from '../support/postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { type Replica, startReplicaWorld } from '../support/replica.ts'

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let database: Awaited<ReturnType<typeof createDatabase>>
let toDatabase: Awaited<ReturnType<typeof startProxy>>
let toNode: Awaited<ReturnType<typeof startProxy>>
let gateway: Replica
let publicPort: number
let port: number
let head: { number: bigint; timestamp: bigint }

/** Distance of the projection from the head. */
const LAG = { blocks: 2n, seconds: 30n }

beforeAll(async () => {
  the = await startReplicaWorld()
  database = await createDatabase()
  head = await the.world.chain.getBlock({ blockTag: 'finalized' })
  await publish(head.number - LAG.blocks, head.timestamp - LAG.seconds)
  toDatabase = await startProxy(new URL(database.urls.gateway))
  toNode = await startProxy(new URL(the.world.rpcUrl))
  publicPort = await freePort()
  port = await freePort()
  const databaseUrl = new URL(database.urls.gateway)
  databaseUrl.port = new URL(toDatabase.url).port
  const env = { GATEWAY_METRICS_PORT: `${port}`, READ_DATABASE_URLS: database.urls.gateway }
  gateway = await the.start({ port: publicPort, databaseUrl: databaseUrl.href, rpcUrl: toNode.url, env })
})
afterAll(async () => {
  await the.stop()
  toDatabase.stop()
  toNode.stop()
  await database.drop()
})

/** A projection that is complete through a block, without rows. */
async function publish(block: bigint, timestamp: bigint): Promise<void> {
  const checkpoint = `${timestamp}${'31337'.padStart(16, '0')}${`${block}`.padStart(16, '0')}${'9'.repeat(33)}`
  const client = new pg.Client({ connectionString: database.urls.indexer })
  await client.connect()
  await client.query(`
    create table projection.router ();
    create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
    create table projection._ponder_checkpoint as select '${checkpoint}' as latest_checkpoint`)
  await client.end()
}

/** The values of all metrics, by name and labels. */
async function scrape(from = port): Promise<Record<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${from}/metrics`)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

const isClosed = (ofPort: number) =>
  fetch(`http://127.0.0.1:${ofPort}/`).then(
    () => false,
    () => true,
  )

const OF_DATABASE = ['gateway_projection_block', 'gateway_route_intents{state="PENDING"}']
const OF_CHAIN = ['gateway_finalized_block', 'gateway_finalized_block_timestamp_seconds']
const OF_BOTH = ['gateway_projection_lag_blocks', 'gateway_projection_lag_seconds']

describe('the operations port', () => {
  it('states what is projected, final, open and in use', async () => {
    expect(await scrape()).toMatchObject({
      gateway_projection_block: Number(head.number - LAG.blocks),
      gateway_finalized_block: Number(head.number),
      gateway_finalized_block_timestamp_seconds: Number(head.timestamp),
      gateway_projection_lag_blocks: Number(LAG.blocks),
      gateway_projection_lag_seconds: Number(LAG.seconds),
      'gateway_route_intents{state="PENDING"}': 0,
      'gateway_pool_connections{state="used"}': 0,
      gateway_pool_waiting: 0,
      'gateway_replica_connections_used{replica="1"}': 0,
      'gateway_replica_waiting{replica="1"}': 0,
      'gateway_optimizer_searches{state="waiting"}': 0,
      gateway_optimizer_threads: 2,
      gateway_subscriptions: 0,
      gateway_exports: 0,
      process_resident_memory_bytes: expect.any(Number),
      'gateway_rpc_duration_seconds_count{method="eth_chainId",outcome="answered"}': expect.any(Number),
    })
  })

  it('states the delay of the event loop once it was measured', async () => {
    await expect
      .poll(async () => Object.keys(await scrape()))
      .toContain('nodejs_event_loop_delay_seconds{quantile="1"}')
  })

  it('is another one than that of clients, and has nothing but the metrics', async () => {
    expect((await gateway.request('/metrics')).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/health`)).status).toBe(404)
  })

  it('leaves out what the database holds while it is gone', async () => {
    toDatabase.cut()
    await expect.poll(async () => Object.keys(await scrape())).not.toContain(OF_DATABASE[0])
    const names = Object.keys(await scrape())
    expect([...OF_DATABASE, ...OF_BOTH].filter((name) => names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['gateway_pool_waiting', ...OF_CHAIN]))
    toDatabase.mend()
    await expect.poll(async () => Object.keys(await scrape())).toContain(OF_DATABASE[0])
  })

  it('leaves out what the node knows while it does not answer', async () => {
    toNode.hold()
    await expect.poll(async () => Object.keys(await scrape())).not.toContain(OF_CHAIN[0])
    const names = Object.keys(await scrape())
    expect([...OF_CHAIN, ...OF_BOTH].filter((name) => names.includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(OF_DATABASE))
    toNode.release()
    await expect.poll(async () => Object.keys(await scrape())).toContain(OF_CHAIN[0])
  })

  it('must be free: the gateway does not start without it', async () => {
    const start = the.start({ rpcUrl: the.world.rpcUrl, env: { GATEWAY_METRICS_PORT: `${port}` } })
    await expect(start).rejects.toThrow(/:\d+ of GATEWAY_METRICS_PORT cannot be listened on/)
  })

  it('is warned of where it is open beyond this machine', async () => {
    const env = { GATEWAY_METRICS_PORT: `${port}`, GATEWAY_METRICS_HOST: '0.0.0.0' }
    const start = the.start({ rpcUrl: the.world.rpcUrl, env })
    await expect(start).rejects.toThrow(/the metrics are served beyond this machine: keep their port private/)
  })

  it('closes last: it answers until the last request of a stopping gateway has its answer', async () => {
    const gate = await startProxy(new URL(the.world.rpcUrl))
    const [ownPublic, own] = [await freePort(), await freePort()]
    const env = { GATEWAY_METRICS_PORT: `${own}` }
    const stopping = await the.start({ port: ownPublic, rpcUrl: gate.url, env })
    gate.hold()
    const pending = stopping.request('/api/v1/health/ready')
    await gate.held()
    const stopped = stopping.process.stop()
    await expect.poll(() => isClosed(ownPublic)).toBe(true)
    expect(await scrape(own)).toHaveProperty('process_resident_memory_bytes')
    gate.release()
    expect((await pending).headers.get('X-Request-Id')).toBeTruthy()
    expect((await stopped)?.code).toBe(0)
    expect(await isClosed(own)).toBe(true)
    gate.stop()
  })
})
