/** `npm run dev` as a test starts it: a process of its own, with data in a folder of its own. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { TEST_LIMITS } from '../support/limits.ts'

const DEV = join(import.meta.dirname, '../../devnet/dev.ts')

/** Settings of a shell for another system. Each process of the run has its own. */
const OTHER_SYSTEM = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DATABASE_SCHEMA: 'none',
  RPC_URLS: 'http://127.0.0.1:1',
  CHAIN_ID: '1',
  DEPLOYMENTS_DIR: '/none',
  NODE_ENV: 'production',
  HOST: '127.0.0.2',
  PORT: '1',
  SITE_ORIGINS: 'https://elsewhere.example',
  CORS_ORIGINS: 'https://elsewhere.example',
}

/** Ends the screen that is shown once all is ready. */
const LAST_LINE = 'Ctrl-C stops everything'

export type DevRun = {
  pid: number
  /** Everything it printed so far. */
  output: () => string
  /** Resolves when it is ready; rejects with all it printed when it ends before. */
  ready: Promise<void>
  exited: Promise<number | null>
  kill: (signal: NodeJS.Signals) => void
}

export function startDev(folder: string, ...args: string[]): DevRun {
  const child = spawn(process.execPath, [DEV, '--folder', folder, '--scale', 'small', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its gateway inherits the limits.
    env: { ...process.env, ...TEST_LIMITS, ...OTHER_SYSTEM },
  })
  const lines: string[] = []
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        if (line.startsWith(LAST_LINE)) resolve()
      })
    }
    void exited.then((code) => reject(new Error(`it exited with code ${code}:\n${lines.join('\n')}`)))
  })
  ready.catch(() => {})
  return {
    pid: child.pid ?? 0,
    output: () => lines.join('\n'),
    ready,
    exited,
    kill: (signal) => void child.kill(signal),
  }
}

const endpointsShape = z.strictObject({
  gatewayUrl: z.string(),
  graphqlUrl: z.string(),
  /** There once `npm run docs` has rendered it. */
  documentationUrl: z.string().optional(),
  rpcUrl: z.string(),
  databaseUrls: z.strictObject({
    indexer: z.string(),
    gateway: z.string(),
    auditor: z.string(),
    analyst: z.string(),
  }),
  chainId: z.number(),
  finalitySeconds: z.number(),
  accounts: z.array(z.strictObject({ role: z.string(), address: z.string(), privateKey: z.string() })),
})

export function readEndpoints(folder: string) {
  return endpointsShape.parse(JSON.parse(readFileSync(join(folder, 'endpoints.json'), 'utf8')))
}

export function hasEndpoints(folder: string): boolean {
  return existsSync(join(folder, 'endpoints.json'))
}

const processesShape = z.object({ children: z.array(z.object({ name: z.string(), pid: z.number() })) })

/** The processes that the run recorded and that live. */
export function livingChildren(folder: string): { name: string; pid: number }[] {
  const file = join(folder, 'processes.json')
  if (!existsSync(file)) return []
  return processesShape.parse(JSON.parse(readFileSync(file, 'utf8'))).children.filter(({ pid }) => lives(pid))
}

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Lists files that a failed run left in its folder and only a running one may have. */
export function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => name === 'endpoints.json' || name === 'processes.json')
}

const claimsShape = z.object({
  data: z.object({
    claims: z.object({ totalCount: z.number(), nodes: z.array(z.object({ claimId: z.string() })) }),
  }),
})

/** Sends a query of claims to the gateway of a run. */
export async function askForClaims(folder: string, query: string) {
  const response = await fetch(readEndpoints(folder).graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return claimsShape.parse(await response.json()).data.claims
}
