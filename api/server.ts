/** The gateway as a process: reads settings, connects, and serves the app until SIGTERM or SIGINT. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { loadDocuments, NO_DOCUMENTS } from '../deployments/documents.ts'
import { loadLabels } from '../deployments/labels.ts'
import { loadManifest } from '../deployments/manifest.ts'
import { refuseUnsafeConnections } from '../nodes/unsafe-connections.ts'
import { refuseOptions } from '../settings/command-line.ts'
import { unknownSettings } from '../settings/unknown.ts'
import { createApp } from './app.ts'
import { checkDeployment } from './chain/check-deployment.ts'
import { createChain } from './chain/client.ts'
import { type Config, parseConfig } from './config/config.ts'
import { connectHead } from './head/connect.ts'
import { inTurn, watchConnections } from './http/connections.ts'
import { createDrain, KEEP_ALIVE } from './http/drain.ts'
import { createLog } from './http/log.ts'
import { limitUnread } from './http/unread.ts'
import { loadMetrics, loadTracing } from './operations/load.ts'
import { measuredCalls, measuredSearches } from './operations/measured.ts'
import { startOperations } from './operations/start.ts'
import { createOptimizerPool } from './optimizer-pool/index.ts'
import { connectControl } from './projection/session/control.ts'
import { createPool, createProjectionDb } from './projection/session/database.ts'
import { connectPipelines } from './projection/session/pipeline.ts'
import { watchProjection } from './projection/session/watch.ts'
import { createStore } from './store/database.ts'
import { migrateStore } from './store/migrations/migrate.ts'
import { pruneStore } from './store/prune.ts'
import { tracedCalls, traceStatements } from './tracing/parts.ts'
import { turnEnd } from './turn-end.ts'

const PRUNE_INTERVAL_MS = 600_000
const UNREAD = { stalledMs: 15_000, graceMs: 15_000, bytesPerSecond: 64 << 10 }

refuseOptions('npm run start:gateway', 'Runs a gateway. docs/settings.md lists the variables that it reads.')

try {
  await start(parseConfig(process.env), unknownSettings(process.env))
} catch (error) {
  // The message is for the operator; a stack trace would hide it.
  console.error(`The gateway did not start: ${error instanceof Error ? error.message : String(error)}`)
  // Open connections would keep the process alive.
  process.exit(1)
}

async function start(config: Config, warnings: readonly string[]): Promise<void> {
  if (config.nodeEnv === 'production') {
    await refuseUnsafeConnections(config.connections, config.connectionSettings)
  }
  const log = createLog(config)
  for (const warning of warnings) log.warn(warning)
  const metrics = await loadMetrics(config)
  const tracing = await loadTracing(config, log)
  const deployment = loadManifest(config.chainId, config.deploymentsDir)
  const labels = loadLabels(config.chainId, config.deploymentsDir)
  const documents = config.documentsFile ? loadDocuments(config.documentsFile) : NO_DOCUMENTS
  const around = [...(metrics ? [measuredCalls(metrics)] : []), ...(tracing ? [tracedCalls(tracing)] : [])]
  const chain = createChain({
    urls: config.rpcUrls,
    timeout: config.rpcTimeoutMs,
    report: (message) => log.warn(message),
    around,
    requestId: tracing?.requestId,
  })
  await checkDeployment(chain, deployment)
  const pool = createPool(config.databaseUrl, config.databasePoolSize, config.databaseTimeoutMs)
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  if (tracing) traceStatements(pool, tracing)
  await migrateStore(pool).catch((cause) => {
    throw new Error(`the database of DATABASE_URL does not take the migrations: ${reasonOf(cause)}`, {
      cause,
    })
  })
  const store = createStore(pool)
  const pipeline = connectPipelines(config.databaseUrl, config.databaseTimeoutMs)
  const control = connectControl(config.databaseUrl, config.databaseTimeoutMs, log)
  const replicas = config.readDatabaseUrls.map((url) => connectReplica(url, config, log))
  const others = [
    ...pipeline.pools,
    ...replicas.flatMap((replica) => [replica.db.pool, ...replica.pipeline.pools]),
  ]
  if (tracing) for (const other of others) traceStatements(other, tracing)
  const watch = watchProjection(config.databaseUrl, log)
  const db = createProjectionDb(pool)
  const head = connectHead(config, { deployment, db, log }, around)
  const optimizer = createOptimizerPool({
    threads: config.optimizerThreads,
    maxQueue: config.optimizerQueue,
    onFault: (err) => log.error({ err }, 'an idle optimizer thread was lost'),
  })
  const stopping = new AbortController()
  const app = createApp({
    config,
    db,
    pipeline,
    replicas,
    control,
    watch,
    store,
    chain,
    head,
    optimize: metrics ? measuredSearches(optimizer.optimize, metrics) : optimizer.optimize,
    deployment,
    labels,
    documents,
    clock: Date.now,
    random: randomBytes,
    log,
    metrics,
    tracing,
    stopping: stopping.signal,
  })
  const { server, connections } = createHttpServer(app.fetch, config)
  const drain = createDrain(server, connections)
  const operations =
    metrics &&
    (await startOperations(metrics, {
      ...{ config, log, clock: Date.now, chain, head, pool, optimizer },
      replicas: replicas.map(({ db }) => db.pool),
    }))
  await listen(server, config)
  log.info({ host: config.host, port: portOf(server), metricsPort: operations?.port }, 'listening')

  const prune = () => pruneStore(store, Date.now()).catch((err) => log.warn({ err }, 'pruning failed'))
  const pruning = setInterval(prune, PRUNE_INTERVAL_MS)
  const stop = async (signal: NodeJS.Signals, urge: AbortSignal) => {
    log.info({ signal }, 'draining')
    clearInterval(pruning)
    stopping.abort()
    await pause(config.drainLeadMs, undefined, { signal: urge }).catch(() => {})
    // Waiting reads and streams would outlast the drain, so they are answered and completed first.
    head.close()
    const unwatched = watch.close()
    const idleMs = config.drainLeadMs > 0 ? KEEP_ALIVE.timeoutMs + KEEP_ALIVE.marginMs : 0
    await drain(idleMs, config.drainTimeoutMs)
    await optimizer.close()
    const connected = [pipeline, control, ...replicas]
    await Promise.all([unwatched, pool.end(), ...connected.map(({ close }) => close())])
    await tracing?.close()
    await operations?.close()
    log.info('stopped')
  }
  onSignals(stop)
}

/** Connects to a read replica. The replica may be unavailable: the reads detect this. */
function connectReplica(url: string, { databasePoolSize, databaseTimeoutMs }: Config, log: Logger) {
  const pool = createPool(url, databasePoolSize, databaseTimeoutMs)
  pool.on('error', (err) => log.warn({ err }, 'an idle connection to a read replica was lost'))
  const pipeline = connectPipelines(url, databaseTimeoutMs)
  const { cancel, close } = connectControl(url, databaseTimeoutMs, log)
  return {
    db: createProjectionDb(pool),
    pipeline,
    cancel,
    close: () => Promise.all([pool.end(), pipeline.close(), close()]),
  }
}

/** Calls `stop` at the first SIGTERM or SIGINT. Its `urge` aborts at the second. */
function onSignals(stop: (signal: NodeJS.Signals, urge: AbortSignal) => Promise<void>): void {
  const urge = new AbortController()
  let isStopping = false
  const receive = (signal: NodeJS.Signals) => {
    if (isStopping) return urge.abort()
    isStopping = true
    void stop(signal, urge.signal)
  }
  process.on('SIGTERM', receive)
  process.on('SIGINT', receive)
}

function createHttpServer(fetch: Parameters<typeof getRequestListener>[0], config: Config) {
  const limits = { requestTimeout: config.requestTimeoutMs, keepAliveTimeout: KEEP_ALIVE.timeoutMs }
  const options = { ...limits, keepAliveTimeoutBuffer: KEEP_ALIVE.marginMs }
  const answer: typeof fetch = async (request, env) => {
    const response = await fetch(request, env)
    await turnEnd()
    return response
  }
  const server = createServer(options)
  const connections = watchConnections(server)
  server.on('request', inTurn(connections, getRequestListener(answer, { hostname: config.host })))
  limitUnread(server, connections, UNREAD)
  return { server, connections }
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((cause) => {
    throw new Error(`${host}:${port} cannot be listened on: ${reasonOf(cause)}`, { cause })
  })
}

function portOf(server: Server): number | undefined {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** Returns the reason of an error. If a name has several addresses, the error contains one reason for each address. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}
