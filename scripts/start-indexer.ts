/**
 * The indexer as a service: `npm run start:indexer`. Settings come from the environment (`indexer/environment.ts`); the
 * schema it writes is named after everything that decides its rows, so a new version indexes beside the old one and the
 * stable views flip to it once it has caught up. SIGTERM and SIGINT stop it in due order, which leaves no lock behind.
 */
import { startIndexer } from '../devnet/indexer.ts'
import { parseIndexerEnvironment } from '../indexer/environment.ts'

/** Ponder's own server, on loopback only: `/metrics`, `/status`. */
const METRICS_PORT = 42_069

try {
  const env = parseIndexerEnvironment(process.env)
  const indexer = await startIndexer({
    chainId: env.CHAIN_ID,
    rpcUrls: env.RPC_URLS,
    databaseUrl: env.DATABASE_URL,
    port: METRICS_PORT,
    pollingIntervalMs: env.POLLING_INTERVAL_MS,
    ...(env.DEPLOYMENTS_DIR && { deploymentsDir: env.DEPLOYMENTS_DIR }),
    onLog: (line) => console.log(line),
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void indexer.stop())
  const { code } = await indexer.exited
  process.exitCode = code ?? 1
} catch (error) {
  console.error(`The indexer did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
