/** The gateway as a child process, set up for development. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, describeExit, startChild } from './child.ts'

export type Gateway = Child & { url: string }

export type GatewayOptions = {
  port: number
  databaseUrl: string
  rpcUrl: string
  chainId: number
  onLine: (line: string) => void
}

const SERVER = join(import.meta.dirname, '../api/server.ts')
const DEPLOYMENTS = join(import.meta.dirname, '../deployments')
const EXIT_WITH_PARENT = new URL('../scripts/exit-with-parent.ts', import.meta.url).href

export function startGateway(options: GatewayOptions): Gateway {
  const url = `http://127.0.0.1:${options.port}`
  const child = startChild({
    name: 'the gateway',
    program: process.execPath,
    args: ['--import', EXIT_WITH_PARENT, SERVER],
    stopSignal: 'SIGTERM',
    onLine: options.onLine,
    spawn: {
      // The channel closes when the parent ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'development',
        HOST: '127.0.0.1',
        PORT: `${options.port}`,
        DATABASE_URL: options.databaseUrl,
        RPC_URLS: options.rpcUrl,
        CHAIN_ID: `${options.chainId}`,
        DEPLOYMENTS_DIR: DEPLOYMENTS,
        SITE_ORIGIN: url,
        // Its chain finalizes within seconds.
        PLANNING_DELAY_SECONDS: '120',
      },
    },
  })
  return { ...child, url }
}

/** Waits until the gateway reports that the first index is complete. */
export async function gatewayReady(gateway: Gateway, pollMs = 50): Promise<void> {
  const exit = gateway.exited.then((gone) => {
    throw new Error(`the gateway ${describeExit(gone)}`)
  })
  exit.catch(() => {})
  while (!(await Promise.race([isReady(gateway.url), exit]))) await sleep(pollMs)
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v1/health/ready`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
