/** The auditor as a child process, set up for development. */
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'

export type AuditorOptions = {
  databaseUrl: string
  rpcUrl: string
  chainId: number
  onLine: (line: string) => void
}

const MAIN = join(import.meta.dirname, '../auditor/main.ts')
const DEPLOYMENTS = join(import.meta.dirname, '../deployments')
const EXIT_WITH_PARENT = new URL('../scripts/exit-with-parent.ts', import.meta.url).href

export function startAuditor({ databaseUrl, rpcUrl, chainId, onLine }: AuditorOptions): Child {
  return startChild({
    name: 'the auditor',
    program: process.execPath,
    args: ['--import', EXIT_WITH_PARENT, MAIN],
    stopSignal: 'SIGTERM',
    onLine,
    spawn: {
      // The channel closes when the parent ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        RPC_URLS: rpcUrl,
        CHAIN_ID: `${chainId}`,
        DEPLOYMENTS_DIR: DEPLOYMENTS,
        AUDIT_METRICS_PORT: '0',
      },
    },
  })
}
