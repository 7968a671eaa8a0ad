/** The auditor as a process. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { LOGS_BYTES_MAX } from '../api/chain/call-limits.ts'
import { checkDeployment } from '../api/chain/check-deployment.ts'
import { createChain } from '../api/chain/client.ts'
import { seededRandom } from '../api/domain/random.ts'
import { createLog } from '../api/http/log.ts'
import { createPool, createProjectionDb } from '../api/projection/session/database.ts'
import { loadManifest } from '../deployments/manifest.ts'
import { refuseUnsafeConnections } from '../nodes/unsafe-connections.ts'
import { type AuditorSettings, auditorSettings } from '../settings/auditor.ts'
import { readCommandLine } from '../settings/command-line.ts'
import { readSettings } from '../settings/read.ts'
import { unknownSettings } from '../settings/unknown.ts'
import { publishedProjection } from './audit.ts'
import { auditAll } from './audit-all.ts'
import { createEvidence } from './chain/evidence.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { follow, logDifferences, look, type Service } from './service.ts'
import { openStore, saveOutcome } from './store.ts'

/** One for reads, one for the store, one for the audit of the rows of a sum. */
const CONNECTIONS = 3
const DIFFERS = 1
const FAILED = 2

const USAGE = `usage: npm run audit -- [--once | --all]

Compares the projection with the chain, by default until SIGTERM or SIGINT. docs/settings.md lists the variables that it
reads. Exit code 1: the projection differs; 2: the audit failed.

  --once   one round
  --all    every row and every event once, with progress`

const mode = readCommandLine(USAGE, () => {
  const flag = { type: 'boolean', default: false } as const
  const { all, once } = parseArgs({ options: { all: flag, once: flag } }).values
  if (all && once) throw new Error('--all and --once exclude each other')
  return all ? 'all' : once ? 'once' : 'follow'
})

try {
  const config = readSettings(auditorSettings, process.env)
  const log = createLog({
    logLevel: config.LOG_LEVEL,
    databaseUrl: config.DATABASE_URL,
    rpcUrls: config.RPC_URLS,
    authSecrets: [],
  })
  for (const message of unknownSettings(process.env)) log.warn(message)
  // From here on errors may contain URLs of nodes, which hold keys: the log removes them.
  await start(config, log).catch((err: unknown) => {
    log.fatal({ err }, 'the audit failed')
    log.flush()
    process.exit(FAILED)
  })
} catch (error) {
  console.error(`The audit failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(FAILED)
}

async function start(config: AuditorSettings, log: Logger): Promise<void> {
  const nodes = config.RPC_URLS.map((url) => ({ setting: 'RPC_URLS', url }))
  await refuseUnsafeConnections([{ setting: 'DATABASE_URL', url: config.DATABASE_URL }, ...nodes], config)
  const pool = createPool(config.DATABASE_URL, CONNECTIONS, config.DATABASE_TIMEOUT_MS)
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'))
  const chain = createChain({
    urls: config.RPC_URLS,
    timeout: config.RPC_TIMEOUT_MS,
    answerBytesMax: LOGS_BYTES_MAX,
  })
  const manifest = loadManifest(config.CHAIN_ID, config.DEPLOYMENTS_DIR)
  await checkDeployment(chain, manifest)
  const seed = config.AUDIT_SEED ?? Date.now() % 2 ** 32
  const service: Service = {
    auditor: {
      read: publishedProjection(createProjectionDb(pool)),
      chain,
      evidenceAt: createEvidence(chain, manifest),
    },
    store: await openStore(pool),
    random: seededRandom(seed),
    sampleRows: config.AUDIT_SAMPLE_ROWS,
    metrics: createMetrics(),
    log,
    clock: Date.now,
  }
  if (mode === 'all') await checkAll(service)
  else if (mode === 'once') exitWith((await look(service)).length)
  else await runService(service, config, seed)
  await pool.end()
}

async function checkAll({ auditor, store, log, clock }: Service): Promise<void> {
  const { block, differences } = await auditAll(auditor, ({ of, done }) => console.log(`${of}: ${done}`))
  logDifferences(log, differences)
  // Everything was compared: a difference that was not found again is gone.
  await saveOutcome(store, { found: differences, isGone: () => true }, new Date(clock()))
  console.log(`${differences.length} differences at finalized block ${block.number}`)
  exitWith(differences.length)
}

function exitWith(differences: number): void {
  process.exitCode = differences > 0 ? DIFFERS : 0
}

async function runService(service: Service, config: AuditorSettings, seed: number): Promise<void> {
  const { log, metrics } = service
  const server = await serveMetrics(metrics, config)
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  log.info({ seed, metrics: server.address() }, 'auditing')
  await follow(service, config.AUDIT_INTERVAL_MS, stopping.signal)
  server.close()
  log.info('stopped')
}

async function serveMetrics({ registry }: Metrics, config: AuditorSettings) {
  const app = new Hono().get('/metrics', async (c) =>
    c.text(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  )
  const { AUDIT_METRICS_HOST: hostname, AUDIT_METRICS_PORT: port } = config
  const server = serve({ fetch: app.fetch, hostname, port })
  await once(server, 'listening')
  return server
}
