/** A world of one's own with its projection, and a gateway over both; its clock goes with the chain's. */
import { pino } from 'pino'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { createGateway } from '../support/gateway.ts'
import { createIndexedDatabase, finalizeAndProject } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { startProxy } from '../support/proxy.ts'
import { bearer, readJson } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

/**
 * The projection has one connection, so a request that holds it blocks the next. The gateway reaches the chain through
 * `line`.
 */
export async function startFollowedWorld(options: Parameters<typeof startWorld>[0] = {}) {
  const world = await startWorld(options)
  const store = await createTestStore()
  const indexed = await createIndexedDatabase(world)
  const line = await startProxy(new URL(world.rpcUrl))
  const pool = createPool(indexed.url, 1)
  let statements = 0
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    const counted = (...args: Parameters<typeof query>) => {
      statements += 1
      return query(...args)
    }
    Object.assign(client, { query: counted })
  })
  const clock = { skewMs: 0, now: () => Date.now() + clock.skewMs }
  const db = createProjectionDb(pool)
  const watch = watchProjection(indexed.url, pino({ level: 'silent' }))
  const app = createGateway(store, { db, watch, rpcUrl: line.url, clock: clock.now })
  return {
    world,
    store,
    app,
    clock,
    line,
    /** How many statements were sent to the projection so far. */
    statements: () => statements,
    /** Another gateway over the same projection and store, that reaches the chain elsewhere. */
    over: (rpcUrl: string) => createGateway(store, { db, watch, rpcUrl, clock: clock.now }),
    startIndexer: async () => (await indexed.start()).ready(),
    project: () => finalizeAndProject(world, indexed.pool),
    follow: async (
      token: string,
      hash: string,
      headers: Record<string, string> = {},
    ): Promise<Record<string, unknown>> => {
      const own = { headers: { ...bearer(token).headers, ...headers } }
      const response = await app.request(`/api/v1/transactions/${hash}`, own)
      return { ...(await readJson(response)), httpStatus: response.status }
    },
    ask: async (
      query: string,
      variables: Record<string, unknown> = {},
      headers: Record<string, string> = {},
    ) => {
      const response = await app.request('/api/v1/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      })
      return readJson(response)
    },
    stop: async () => {
      line.stop()
      await watch.close()
      await pool.end()
      await indexed.remove()
      await store.stop()
      await world.stop()
    },
  }
}

export type FollowedWorld = Awaited<ReturnType<typeof startFollowedWorld>>
