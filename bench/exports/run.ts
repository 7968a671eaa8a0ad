/**
 * Measures the time, memory and processor time of an export of a million claims as CSV and as Parquet, and the time of
 * Postgres' COPY of the same view. The client is another process, so the figures are the gateway's alone.
 */

import { execFile } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { createApp } from '../../api/app.ts'
import { createChain } from '../../api/chain/client.ts'
import { parseConfig } from '../../api/config/config.ts'
import { NO_HEAD } from '../../api/head/watch-head.ts'
import { connectControl } from '../../api/projection/session/control.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { createStore } from '../../api/store/database.ts'
import { NO_DOCUMENTS } from '../../deployments/documents.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { readCommand } from '../../settings/command-line.ts'
import { makeClaims } from '../../test/projection/large.ts'
import { serveHttp } from '../../test/support/serve.ts'
import { startPostgres } from '../indexer/postgres.ts'

const { positionals } = readCommand(
  'npm run bench:exports --',
  'Measures the export of claims as CSV and Parquet, beside the COPY of Postgres.',
  {},
  { claims: 'claims of the table; default: 1000000' },
)
const CLAIMS = Number(positionals[0] ?? 1_000_000)
const NOWHERE = 'http://127.0.0.1:1'
const MEGABYTE = 1_000_000
const QUERIES = {
  'every column': '',
  'seven columns': '?columns=claimId,beneficiary,token,faceValue,dueDate,state,matured',
  'every column, one state in ten thousand': `?filter=${encodeURIComponent('{"faceValue_gte":"999900000000"}')}`,
}

const postgres = await startPostgres()
const { gateway: databaseUrl, indexer, owner } = await postgres.database('exports')
const pool = createPool(databaseUrl, 10)
const writer = createPool(indexer, 1)
/** The COPY to compare with writes a file of the server. */
const superuser = createPool(owner, 1)
const log = pino({ level: 'warn' })
const control = connectControl(databaseUrl, 5000, log)
const watch = watchProjection(databaseUrl, log)
const config = parseConfig({
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  RPC_URLS: NOWHERE,
  CHAIN_ID: '31337',
})
const app = createApp({
  config,
  db: createProjectionDb(pool),
  pipeline: connectPipelines(databaseUrl, 5000),
  replicas: [],
  control,
  watch,
  head: NO_HEAD,
  store: createStore(pool),
  chain: createChain({ urls: config.rpcUrls, timeout: config.rpcTimeoutMs }),
  optimize: () => Promise.reject(new Error('nothing is optimized here')),
  deployment: loadManifest(config.chainId),
  documents: NO_DOCUMENTS,
  labels: loadLabels(config.chainId),
  clock: Date.now,
  random: (bytes) => new Uint8Array(bytes),
  log,
  stopping: new AbortController().signal,
})
const server = await serveHttp(app.fetch)
try {
  await makeClaims(writer, CLAIMS)
  for (const [title, query] of Object.entries(QUERIES)) {
    // A header precedes the rows.
    const rows = (await measure(`${title}, CSV`, `claims.csv${query}`)) - 1
    await measure(`${title}, Parquet`, `claims.parquet${query}`, rows)
  }
  await copied()
} finally {
  await server.close()
  await watch.close()
  await control.close()
  await Promise.all([pool.end(), writer.end(), superuser.end()])
  await postgres.stop()
}

/** @returns the lines of the file */
async function measure(title: string, path: string, known?: number): Promise<number> {
  const memory: number[] = [process.memoryUsage().rss]
  const sampling = setInterval(() => memory.push(process.memoryUsage().rss), 100)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const bash = ['-c', `set -o pipefail; curl -sf '${server.url}/api/v1/exports/${path}' | wc -lc`]
  const { stdout } = await promisify(execFile)('bash', bash)
  clearInterval(sampling)
  delay.disable()
  const { user, system } = process.cpuUsage(cpu)
  const [lines = 0, bytes = 0] = stdout.trim().split(/\s+/).map(Number)
  const seconds = (performance.now() - start) / 1000
  const rows = known ?? lines - 1
  const half = memory.slice(memory.length / 2)
  console.log(
    [
      `${title}: ${rows} rows, ${(bytes / MEGABYTE).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
      `${Math.round(rows / seconds)} rows/s`,
      `${((user + system) / rows).toFixed(1)} µs of processor time per row`,
      `event loop held ${(delay.percentile(99) / 1e6).toFixed(0)} ms (99 %), ${(delay.max / 1e6).toFixed(0)} ms (maximum)`,
      `resident ${inMegabytes(memory[0] ?? 0)} before, at most ${inMegabytes(Math.max(...memory))}, in the second half ${inMegabytes(Math.min(...half))} to ${inMegabytes(Math.max(...half))} MB`,
    ].join('; '),
  )
  return lines
}

function inMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0)
}

async function copied(): Promise<void> {
  const start = performance.now()
  await superuser.query(
    `copy (select * from projection.claim order by registered_at desc, id desc) to '/dev/null' with csv`,
  )
  console.log(`COPY by Postgres itself: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
