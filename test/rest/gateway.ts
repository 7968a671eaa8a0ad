/** A gateway over the shared world, for tests that read. */
import { pino } from 'pino'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { createGateway } from '../support/gateway.ts'
import { countReads } from '../support/reads.ts'
import { createTestStore } from '../support/store.ts'
import { sharedWorld } from '../support/world.ts'

export async function startReadGateway(env: Record<string, string> = {}) {
  const { databaseUrl, rpcUrl } = sharedWorld()
  const store = await createTestStore()
  const pool = createPool(databaseUrl, 5)
  const { pipeline, readsOf } = countReads(pool, connectPipelines(databaseUrl, 5000))
  const watch = watchProjection(databaseUrl, pino({ level: 'silent' }))
  const app = createGateway(store, {
    db: createProjectionDb(pool),
    pipeline,
    projectionUrl: databaseUrl,
    watch,
    rpcUrl,
    // The shared world gets no further blocks, however long a run takes.
    env: { PLANNING_DELAY_SECONDS: '7200', ...env },
  })
  return {
    app,
    pool,
    /** The reads of the projection that some work takes. */
    readsOf,
    get: async (path: string, headers: Record<string, string> = {}) =>
      app.request(`/api/v1${path}`, { headers }),
    stop: async () => {
      await watch.close()
      await Promise.all([pool.end(), pipeline.close()])
      await store.stop()
    },
  }
}

export type ReadGateway = Awaited<ReturnType<typeof startReadGateway>>
