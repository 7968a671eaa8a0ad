/** The gateway as a process: reads settings, connects, and serves the app until SIGTERM or SIGINT. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Server } from 'node:http'
import { type ServerType, serve } from '@hono/node-server'
import { loadManifest } from '../deployments/manifest.ts'
import { createApp } from './app.ts'
import { checkDeployment } from './chain/check-deployment.ts'
import { createChain } from './chain/client.ts'
import { type Config, parseConfig } from './config.ts'
import { createLog } from './middleware/log.ts'
import { createOptimizerPool } from './optimizer-pool/index.ts'
import { connectControl } from './projection/control.ts'
import { createPool, createProjectionDb } from './projection/database.ts'
import { watchProjection } from './projection/watch.ts'
import { createStore } from './store/database.ts'
import { migrateStore } from './store/migrations/migrate.ts'
import { pruneStore } from './store/prune.ts'
import { limitUnread } from './unread.ts'

const PRUNE_INTERVAL_MS = 600_000
/** Milliseconds between two searches of a draining server for idle connections. */
const IDLE_CHECK_MS = 50
/** 120 s for the largest static file, 9 MB uncompressed, requires 75 kB/s. */
const UNREAD = { stalledMs: 15_000, answerMs: 120_000 }

try {
  await start(parseConfig(process.env))
} catch (error) {
  // The message is for the operator; a stack trace would hide it.
  console.error(`The gateway did not start: ${error instanceof Error ? error.message : String(error)}`)
  // Open connections would keep the process alive.
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = createLog(config)
  const deployment = loadManifest(config.chainId, config.deploymentsDir)
  const chain = createChain({
    urls: config.rpcUrls,
    timeout: config.rpcTimeoutMs,
    report: (message) => log.warn(message),
  })
  await checkDeployment(chain, deployment)
  const pool = createPool(config.databaseUrl, config.databasePoolSize, config.databaseTimeoutMs)
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  await migrateStore(pool).catch((cause) => {
    throw new Error(`the database of DATABASE_URL does not take the migrations: ${reasonOf(cause)}`, {
      cause,
    })
  })
  const store = createStore(pool)
  const control = connectControl(config.databaseUrl, config.databaseTimeoutMs, log)
  const watch = watchProjection(config.databaseUrl, config.databaseTimeoutMs, log)
  const optimizer = createOptimizerPool({
    threads: config.optimizerThreads,
    maxQueue: config.optimizerQueue,
    onFault: (err) => log.error({ err }, 'an idle optimizer thread was lost'),
  })
  const app = createApp({
    config,
    db: createProjectionDb(pool),
    control,
    watch,
    store,
    chain,
    optimize: optimizer.optimize,
    deployment,
    clock: Date.now,
    random: randomBytes,
    log,
  })
  const server = await listen(app.fetch, config)
  log.info({ host: config.host, port: portOf(server) }, 'listening')

  const prune = () => pruneStore(store, Date.now()).catch((err) => log.warn({ err }, 'pruning failed'))
  const pruning = setInterval(prune, PRUNE_INTERVAL_MS)
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'draining')
    clearInterval(pruning)
    // Waiting reads and streams would outlast the drain, so they are answered and completed first.
    const unwatched = watch.close()
    await drain(server, config.drainTimeoutMs)
    await optimizer.close()
    await Promise.all([unwatched, pool.end(), control.close()])
    log.info('stopped')
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

async function listen(fetch: Parameters<typeof serve>[0]['fetch'], config: Config): Promise<ServerType> {
  const server = serve({
    fetch,
    hostname: config.host,
    port: config.port,
    serverOptions: { requestTimeout: config.requestTimeoutMs },
  })
  if (server instanceof Server) limitUnread(server, UNREAD)
  await once(server, 'listening').catch((cause) => {
    throw new Error(`${config.host}:${config.port} cannot be listened on: ${reasonOf(cause)}`, { cause })
  })
  return server
}

/** Accepts no new connection, waits for pending requests, and aborts those that exceed the timeout. */
function drain(server: ServerType, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    // An answer given while draining leaves its connection open for a next request that must not come.
    const idle = setInterval(
      () => 'closeIdleConnections' in server && server.closeIdleConnections(),
      IDLE_CHECK_MS,
    )
    const limit = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(limit)
      resolve()
    })
  })
}

function portOf(server: ServerType): number | undefined {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** A refused connection to several addresses of one name has its reasons inside. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
