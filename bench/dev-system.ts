/** The development system (`npm run dev`) as a child, in a folder of its own. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAddress, isHex } from 'viem'
import { z } from 'zod'
import { COMPILE_CACHE } from '../devnet/compile-cache.ts'

const DEV = join(import.meta.dirname, '../devnet/dev.ts')

const endpointsShape = z.object({
  gatewayUrl: z.string(),
  graphqlUrl: z.string(),
  rpcUrl: z.string(),
  databaseUrls: z.object({ indexer: z.string() }),
  finalitySeconds: z.number(),
  accounts: z.array(
    z.object({
      role: z.string(),
      address: z.string().refine((text) => isAddress(text)),
      privateKey: z.string().refine((text) => isHex(text)),
    }),
  ),
})
export type Endpoints = z.output<typeof endpointsShape>

export type DevSystem = { seconds: number; endpoints: Endpoints; stop: () => Promise<void> }

/** @param args of `npm run dev` @returns when it is ready, with the seconds that it took */
export async function startDev(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<DevSystem> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [DEV, '--folder', folder, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Benchmarks ask more often than one client may.
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      RATE_LIMIT_DEFAULT: '1000000000',
      RATE_LIMIT_COST: '1000000000',
      ...env,
    },
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const file = join(folder, 'endpoints.json')
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`npm run dev ended with code ${child.exitCode}`)
    await sleep(10)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const endpoints = endpointsShape.parse(JSON.parse(readFileSync(file, 'utf8')))
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { seconds, endpoints, stop }
}

const processesShape = z.object({ children: z.array(z.object({ name: z.string(), pid: z.number() })) })

/** Process ids of its living children by name; Linux only. */
export function childrenOf(folder: string): Map<string, number> {
  const { children } = processesShape.parse(JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')))
  return new Map(children.filter(({ pid }) => existsSync(`/proc/${pid}`)).map(({ name, pid }) => [name, pid]))
}
