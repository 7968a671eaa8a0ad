/** A service of this project as a child process, on the devnet's database and chain. */
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

export type NodeServiceOptions = {
  databaseUrl: string
  rpcUrl: string
  chainId: number
  onLine: (line: string) => void
  /** Options of Node, which stand before the file. */
  nodeOptions?: readonly string[]
}

const ROOT = join(import.meta.dirname, '..')
const EXIT_WITH_PARENT = new URL('../scripts/exit-with-parent.ts', import.meta.url).href

/** @param main its file, from the project's folder @param settings beside database, chain and manifest */
export function startNodeService(
  name: string,
  main: string,
  { databaseUrl, rpcUrl, chainId, onLine, nodeOptions = [] }: NodeServiceOptions,
  settings: Readonly<Record<string, string>>,
): Child {
  return startChild({
    name,
    program: process.execPath,
    args: [...nodeOptions, '--import', EXIT_WITH_PARENT, join(ROOT, main)],
    stopSignal: 'SIGTERM',
    onLine,
    spawn: {
      // The channel closes when the parent ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...process.env,
        DATABASE_URL: databaseUrl,
        RPC_URLS: rpcUrl,
        CHAIN_ID: `${chainId}`,
        DEPLOYMENTS_DIR: join(ROOT, 'deployments'),
        ...settings,
      },
    },
  })
}
