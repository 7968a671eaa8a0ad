/** The gateway as a child process, set up for development. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, describeExit } from './child.ts'
import { type NodeServiceOptions, startNodeService } from './node-service.ts'

/**
 * Options of Node that bound its memory, keep it between bursts of requests, and make every object young, as
 * `npm run start:gateway` has them. V8 would learn from a burst at the start that requests live long, and make their
 * objects old from then on.
 */
export const GATEWAY_HEAP = [
  '--max-semi-space-size=8',
  '--max-old-space-size=1024',
  '--no-memory-reducer',
  '--no-allocation-site-pretenuring',
] as const

export type Gateway = Child & { url: string }

/** Restarts the process when a module that it loaded changes. */
const WATCH = ['--watch', '--watch-preserve-output'] as const

/** Whether a line of the output is of Node's watch mode: a restart, or a process that ended and waits for a change. */
export function isWatchLine(line: string): boolean {
  return /^(?:Restarting|Failed running|Completed running) '/.test(line)
}

type GatewayOptions = NodeServiceOptions & {
  port: number
  /** Origins of pages that call it and sign in, beside those of this machine. */
  origins: readonly string[]
  /** Where its start page links to for the documentation. Default: nowhere. */
  documentationUrl?: string | undefined
  /** Built pages of the explorer. Default: none. */
  explorerFolder?: string | undefined
  watch: boolean
  /** Seconds from a block until it is final. Default: a few */
  finalitySeconds?: number | undefined
  /** Wallets as which GraphiQL and the explorer sign in; the chain signs. */
  wallets: readonly string[]
}

export function startGateway(gateway: GatewayOptions): Gateway {
  const {
    port,
    origins,
    documentationUrl = '',
    explorerFolder = '',
    watch,
    wallets,
    finalitySeconds = 0,
    ...options
  } = gateway
  const url = `http://127.0.0.1:${port}`
  const child = startNodeService(
    'the gateway',
    'api/server.ts',
    { ...options, nodeOptions: [...GATEWAY_HEAP, ...(watch ? WATCH : [])] },
    {
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: `${port}`,
      SITE_ORIGINS: origins.join(),
      CORS_ORIGINS: origins.join(),
      DOCUMENTATION_URL: documentationUrl,
      EXPLORER_FOLDER: explorerFolder,
      PLAYGROUND_WALLETS: wallets.join(),
      PLAYGROUND_SIGNER: options.rpcUrl,
      // A finalized block is a little older, and the rest is for planning.
      PLANNING_DELAY_SECONDS: `${finalitySeconds + 120}`,
      // No balancer is in front of it.
      DRAIN_LEAD_MS: '0',
    },
  )
  return { ...child, url }
}

/** Milliseconds between two requests. */
const POLL_MS = 50

/** Waits until the gateway reports that the first index is complete. */
export async function gatewayReady(gateway: Gateway): Promise<void> {
  const exit = gateway.exited.then((gone) => {
    throw new Error(`the gateway ${describeExit(gone)}`)
  })
  exit.catch(() => {})
  while (!(await Promise.race([isReady(gateway.url), exit]))) await sleep(POLL_MS)
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
