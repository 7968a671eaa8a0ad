/** The gateway as a process: settings, what they name, and the app on a port until SIGTERM. */
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { loadManifest } from '../deployments/manifest.ts'
import { createApp } from './app.ts'
import { checkDeployment } from './chain/check-deployment.ts'
import { createChain } from './chain/client.ts'
import { type Config, parseConfig } from './config.ts'
import { createLog } from './middleware/log.ts'
import { migrateStore } from './migrations/migrate.ts'
import { optimizeRoute } from './optimizer/index.ts'
import { createPool, createProjectionDb } from './projection/database.ts'
import { createStore } from './store/database.ts'
import { pruneStore } from './store/prune.ts'

const PRUNE_INTERVAL_MS = 600_000

try {
  await start(parseConfig(process.env))
} catch (error) {
  // Its message is written for whoever starts the service; a stack would only bury it.
  console.error(`The gateway did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function start(config: Config): Promise<void> {
  const log = createLog(config)
  const deployment = loadManifest(config.chainId, config.deploymentsDir)
  const chain = createChain({ urls: config.rpcUrls, timeout: config.rpcTimeoutMs })
  await checkDeployment(chain, deployment)
  const pool = createPool(config.databaseUrl, config.databasePoolSize)
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  await migrateStore(pool)
  const store = createStore(pool)
  const app = createApp({
    config,
    db: createProjectionDb(pool),
    store,
    chain,
    optimize: async (input) => optimizeRoute(input),
    deployment,
    clock: Date.now,
    random: randomBytes,
    log,
  })
  const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }, ({ address, port }) =>
    log.info({ address, port }, 'listening'),
  )
  const prune = () => pruneStore(store, Date.now()).catch((err) => log.warn({ err }, 'pruning failed'))
  const pruning = setInterval(prune, PRUNE_INTERVAL_MS)
  const stop = () => {
    clearInterval(pruning)
    server.close(() => void pool.end())
    setTimeout(() => process.exit(), config.drainTimeoutMs).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
