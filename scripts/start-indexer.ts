/**
 * The indexer as a service: `npm run start:indexer`. Settings come from the environment (`settings/indexer.ts`). It
 * writes a schema named after all inputs that determine its rows, so a new version indexes while the old one is served,
 * and the stable views move to it once it is complete. The service starts the indexer again when it ends, and stops it
 * gracefully on SIGTERM and SIGINT.
 */
import { LOGS_BYTES_MAX } from '../api/chain/call-limits.ts'
import { createChain } from '../api/chain/client.ts'
import { createVerify } from '../auditor/verify.ts'
import { loadManifest } from '../deployments/manifest.ts'
import { PROJECT, startIndexer } from '../indexer/service/indexer.ts'
import { checkPatch } from '../indexer/service/patch.ts'
import { serviceLog } from '../indexer/service/service-log.ts'
import { superviseIndexer } from '../indexer/service/supervise.ts'
import { refuseUnsafeConnections } from '../nodes/unsafe-connections.ts'
import { refuseOptions } from '../settings/command-line.ts'
import { indexerSettings } from '../settings/indexer.ts'
import { readSettings } from '../settings/read.ts'
import { unknownSettings } from '../settings/unknown.ts'

/** Milliseconds that one node may take for one request. */
const NODE_TIMEOUT_MS = 10_000

refuseOptions(
  'npm run start:indexer',
  'Runs the indexer. docs/settings.md lists the variables that it reads.',
)

const onLog = (line: string) => console.log(line)

async function readOptions() {
  const env = readSettings(indexerSettings, process.env)
  for (const message of unknownSettings(process.env)) serviceLog(onLog).warn(message)
  const nodes = env.RPC_URLS.map((url) => ({ setting: 'RPC_URLS', url }))
  await refuseUnsafeConnections([{ setting: 'DATABASE_URL', url: env.DATABASE_URL }, ...nodes], env)
  const manifest = loadManifest(env.CHAIN_ID, env.DEPLOYMENTS_DIR)
  // It reads the events of whole blocks, to verify an index before it is published.
  const chain = createChain({
    urls: env.RPC_URLS,
    timeout: NODE_TIMEOUT_MS,
    answerBytesMax: LOGS_BYTES_MAX,
  })
  checkPatch(PROJECT)
  return {
    chainId: env.CHAIN_ID,
    rpcUrls: env.RPC_URLS,
    genesis: env.GENESIS_HASH,
    databaseUrl: env.DATABASE_URL,
    host: env.METRICS_HOST,
    port: env.METRICS_PORT,
    pollingIntervalMs: env.POLLING_INTERVAL_MS,
    requestsPerSecond: env.RPC_REQUESTS_PER_SECOND,
    republish: env.REPUBLISH === 'yes',
    ...(env.DEPLOYMENTS_DIR && { deploymentsDir: env.DEPLOYMENTS_DIR }),
    verify: createVerify({ databaseUrl: env.DATABASE_URL, chain, manifest }),
    onLog,
  }
}

try {
  const options = await readOptions()
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
  await superviseIndexer((signal) => startIndexer({ ...options, signal }), serviceLog(onLog), stop.signal)
} catch (error) {
  console.error(`The indexer did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
