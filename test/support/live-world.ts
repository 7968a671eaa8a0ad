/**
 * A world of one's own with its projection, and a gateway over both that listens and reaches database and chain through
 * lines.
 */
import { createClient } from 'graphql-sse'
import { pino } from 'pino'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { connectHead } from '../../api/head/connect.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { loadManifest, type Manifest } from '../../deployments/manifest.ts'
import { createGateway } from './gateway.ts'
import { createIndexedDatabase, finalizeAndProject } from './indexer.ts'
import { startWorld, type World } from './protocol.ts'
import { startProxy } from './proxy.ts'
import { countReads } from './reads.ts'
import { serveHttp } from './serve.ts'
import { createTestStore } from './store.ts'

type LogLine = { level: number; msg: string; status?: number; path?: string }

/**
 * @param env settings of the gateway; those of its projection, too: `DATABASE_POOL_SIZE`, `DATABASE_TIMEOUT_MS`, and
 * `HEAD_POLL_MS`, without which the head is not watched
 * @param chain options of its anvil
 * @param clock of the gateway, milliseconds since 1970
 */
export async function startLiveWorld(
  env: Record<string, string> = {},
  chain: Parameters<typeof startWorld>[0] = {},
  clock: () => number = Date.now,
) {
  const world = await startWorld(chain)
  // The indexer begins once the deployment is final.
  await world.chain.mine({ blocks: 2 * (chain.slotsInAnEpoch ?? 1) })
  const [store, indexed] = [await createTestStore(), await createIndexedDatabase(world)]
  await (await indexed.start()).ready()
  const line = await startProxy(new URL(indexed.url))
  const through = new URL(indexed.url)
  through.port = new URL(line.url).port
  const chainLine = await startProxy(new URL(world.rpcUrl))
  const { DATABASE_POOL_SIZE: connections = '5', DATABASE_TIMEOUT_MS: timeoutMs = '2000' } = env
  const pool = createPool(through.href, Number(connections), Number(timeoutMs))
  pool.on('error', () => {})
  const { pipeline, readsOf, reads } = countReads(pool, connectPipelines(through.href, Number(timeoutMs)))
  const watch = watchProjection(through.href, pino({ level: 'silent' }))
  const log: LogLine[] = []
  const head = await watchHeadOf(world, indexed.url, Number(env.HEAD_POLL_MS ?? 0))
  const app = createGateway(store, {
    db: createProjectionDb(pool),
    pipeline,
    projectionUrl: through.href,
    watch,
    head: head.watch,
    env,
    clock,
    deployment: manifestOf(world),
    rpcUrl: chainLine.url,
    log: { write: (text) => void log.push(JSON.parse(text)) },
  })
  const server = await serveHttp(app.fetch)
  return {
    world,
    store,
    app,
    pool,
    readsOf,
    reads,
    watch,
    head: head.watch,
    line,
    /** Between the gateway and the chain. The watch of the head does without it. */
    chainLine,
    log,
    databaseUrl: indexed.url,
    ownerUrl: indexed.ownerUrl,
    url: (path: string) => `${server.url}/api/v1${path}`,
    /** The unmodified client of GraphQL over SSE; an error of the transport ends the subscription. */
    sse: createClient({ url: server.url + GRAPHQL_PATH, retryAttempts: 0 }),
    /** Makes what is latest now final, and waits for the projection to reach it. */
    project: () => finalizeAndProject(world, indexed.pool),
    stop: async () => {
      await Promise.all([watch.close(), head.close()])
      await server.close()
      await Promise.all([pool.end(), pipeline.close()])
      line.stop()
      chainLine.stop()
      await Promise.all([indexed.remove(), store.stop()])
      await world.stop()
    },
  }
}

/** The contracts have the addresses of the devnet, the tokens do not. */
function manifestOf({ usd, eur }: World): Manifest {
  const tokens = [
    { address: usd, name: 'Demo Dollar', symbol: 'dUSD', decimals: 6, resetsApproval: false },
    { address: eur, name: 'Demo Euro', symbol: 'dEUR', decimals: 6, resetsApproval: true },
  ]
  return { ...loadManifest(31_337), tokens }
}

/** @param intervalMs between two polls; 0 for none */
async function watchHeadOf({ rpcUrl }: World, databaseUrl: string, intervalMs: number) {
  const pool = createPool(databaseUrl, 1)
  const options = {
    rpcUrls: [rpcUrl],
    rpcTimeoutMs: 600_000,
    headPollMs: intervalMs,
    planningDelaySeconds: 86_400,
  }
  const parts = {
    deployment: loadManifest(31_337),
    db: createProjectionDb(pool),
    log: pino({ level: 'silent' }),
  }
  const watch = connectHead(options, parts)
  const close = async () => {
    watch.close()
    await pool.end()
  }
  return { watch, close }
}

export type LiveWorld = Awaited<ReturnType<typeof startLiveWorld>>
