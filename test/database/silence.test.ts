/**
 * A database that keeps its connections open and answers nothing in time: paused, busy, or behind a network that drops
 * its packets.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { createGateway } from '../support/gateway.ts'
import { startProxy } from '../support/proxy.ts'
import { createTestStore } from '../support/store.ts'

const CONNECTIONS = 3
const TIMEOUT_MS = 1000

let store: Awaited<ReturnType<typeof createTestStore>>
let line: Awaited<ReturnType<typeof startProxy>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  store = await createTestStore()
  line = await startProxy(new URL(store.url))
  const through = new URL(store.url)
  through.port = new URL(line.url).port
  pool = createPool(through.href, CONNECTIONS, TIMEOUT_MS)
  // Otherwise the pool closes an idle connection after some seconds, silent or not.
  pool.options.idleTimeoutMillis = 0
})
afterAll(async () => {
  await pool?.end()
  line?.stop()
  await store?.stop()
})

it('ends a statement that takes too long, in Postgres itself', async () => {
  await expect(pool.query('select pg_sleep(600)')).rejects.toMatchObject({ code: '57014' })
})

it('keeps a connection that is released while its statement runs, once the statement has its answer', async () => {
  const own = createPool(store.url, 1)
  const processOf = async () => (await own.query('select pg_backend_pid() as pid')).rows[0].pid
  const before = await processOf()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const client = await own.connect()
    const answer = client.query('select 1')
    client.release()
    await answer
    expect(await processOf()).toBe(before)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await processOf()).toBe(before)
  } finally {
    vi.useRealTimers()
    await own.end()
  }
})

it('makes each read a 503 after its timeout, and no connection that was silent is used again', async () => {
  const app = createGateway(store, { db: createProjectionDb(pool) })
  const query = encodeURIComponent('{ vaults(first: 1) { nodes { address } } }')
  const paths = ['/api/v1/vaults', `/api/v1/graphql?query=${query}`]
  const codesOf = () =>
    Promise.all(
      paths.map(async (path) => {
        const body = JSON.stringify(await (await app.request(path)).json())
        return /"code":"(\w+)"/.exec(body)?.[1]
      }),
    )
  // The store's database has no projection. A busy machine may not connect within the timeout.
  await expect.poll(codesOf).toEqual(['NOT_READY', 'NOT_READY'])
  line.hold()
  for (let i = 0; i < CONNECTIONS; i++)
    expect(await codesOf()).toEqual(['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'])
  await expect.poll(() => pool.totalCount).toBe(0)
  line.release()
  await expect.poll(codesOf).toEqual(['NOT_READY', 'NOT_READY'])
})
