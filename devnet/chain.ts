/** anvil as a child process: loopback only, finalizing a block as soon as two more follow it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import type { WorldPlan } from './world/plan.ts'

export type Chain = Child & { rpcUrl: string }

/**
 * @param args anvil's own, added to host, port and epoch; not `--quiet`: its own word that it listens is waited for
 * @returns once it answers
 * @throws Error with anvil's last words when it exits before, for instance because the port is taken
 */
export async function startChain(port: number, args: readonly string[] = []): Promise<Chain> {
  const child = startChild({
    name: 'anvil',
    program: anvilProgram(),
    args: ['--host', '127.0.0.1', '--port', `${port}`, '--slots-in-an-epoch', '1', ...args],
    stopSignal: 'SIGTERM',
  })
  await child.line(/^Listening on /)
  return { ...child, rpcUrl: `http://127.0.0.1:${port}` }
}

/** A new chain on which `buildWorld` can play the plan. */
export function startWorldChain(plan: WorldPlan, port: number, args: readonly string[] = []): Promise<Chain> {
  return startChain(port, [...worldChainArgs(plan), ...args])
}

export function worldChainArgs(plan: WorldPlan): string[] {
  return ['--timestamp', `${plan.startsAt}`, '--accounts', `${Math.max(10, plan.actors.length)}`]
}

/** The program itself rather than the npm package's wrapper, which a killed parent would leave between us and it. */
function anvilProgram(): string {
  const require = createRequire(import.meta.url)
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`)
  } catch (cause) {
    const wrapper = join(import.meta.dirname, '../node_modules/.bin/anvil')
    if (existsSync(wrapper)) return wrapper
    throw new Error(`there is no anvil for ${process.platform} ${process.arch}`, { cause })
  }
}
