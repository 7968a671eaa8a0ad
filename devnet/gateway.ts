/** The gateway as a child process, set up for development. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, describeExit } from './child.ts'
import { type NodeServiceOptions, startNodeService } from './node-service.ts'

export type Gateway = Child & { url: string }

export function startGateway({ port, ...options }: NodeServiceOptions & { port: number }): Gateway {
  const url = `http://127.0.0.1:${port}`
  const child = startNodeService('the gateway', 'api/server.ts', options, {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: `${port}`,
    SITE_ORIGIN: url,
    // Its chain finalizes within seconds.
    PLANNING_DELAY_SECONDS: '120',
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
