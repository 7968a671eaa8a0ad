/**
 * Measures the time and memory of an export of a million claims as CSV, and the time of Postgres' COPY of the same
 * view. The client is another process, so the reported memory is the gateway's alone.
 */

import { execFile } from 'node:child_process'
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
  'Measures the export of claims as CSV, beside the COPY of Postgres.',
  {},
  { claims: 'claims of the table; default: 1000000' },
)
const CLAIMS = Number(positionals[0] ?? 1_000_000)
const NOWHERE = 'http://127.0.0.1:1'
const MEGABYTE = 1_000_000

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
  await measure('every column', '')
  await measure('seven columns', '?columns=claimId,beneficiary,token,faceValue,dueDate,state,matured')
  await measure(
    'every column, one state in ten thousand',
    `?filter=${encodeURIComponent('{"faceValue_gte":"999900000000"}')}`,
  )
  await copied()
} finally {
  await server.close()
  await watch.close()
  await control.close()
  await Promise.all([pool.end(), writer.end(), superuser.end()])
  await postgres.stop()
}

async function measure(title: string, query: string): Promise<void> {
  const memory: number[] = [process.memoryUsage().rss]
  const sampling = setInterval(() => memory.push(process.memoryUsage().rss), 100)
  const start = performance.now()
  const bash = ['-c', `set -o pipefail; curl -sf '${server.url}/api/v1/exports/claims.csv${query}' | wc -lc`]
  const { stdout } = await promisify(execFile)('bash', bash)
  clearInterval(sampling)
  const [lines = 0, bytes = 0] = stdout.trim().split(/\s+/).map(Number)
  const seconds = (performance.now() - start) / 1000
  const half = memory.slice(memory.length / 2)
  console.log(
    [
      `${title}: ${lines - 1} rows, ${(bytes / MEGABYTE).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
      `${Math.round((lines - 1) / seconds)} rows/s`,
      `resident ${inMegabytes(memory[0] ?? 0)} before, at most ${inMegabytes(Math.max(...memory))}, in the second half ${inMegabytes(Math.min(...half))} to ${inMegabytes(Math.max(...half))} MB`,
    ].join('; '),
  )
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
