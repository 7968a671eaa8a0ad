/** anvil as a child process: loopback only. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import type { WorldPlan } from './world/plan.ts'

export type Chain = Child & { rpcUrl: string }

/**
 * anvil finalizes a block as soon as two epochs follow it.
 *
 * @param slotsInAnEpoch blocks of an epoch. Default: 1
 * @param args anvil's own, added to host, port and epoch; not `--quiet`: the start waits for the line that it listens
 * @returns when it answers
 * @throws Error with the last lines of anvil's output when it exits before, for instance because the port is taken
 */
export async function startChain(
  port: number,
  args: readonly string[] = [],
  onLine?: (line: string) => void,
  slotsInAnEpoch = 1,
): Promise<Chain> {
  const child = startChild({
    name: 'anvil',
    program: anvilProgram(),
    args: ['--host', '127.0.0.1', '--port', `${port}`, '--slots-in-an-epoch', `${slotsInAnEpoch}`, ...args],
    stopSignal: 'SIGTERM',
    ...(onLine && { onLine }),
  })
  await child.line(/^Listening on /)
  return { ...child, rpcUrl: rpcUrlOf(port) }
}

export function rpcUrlOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** A new chain on which `buildWorld` can play the plan. */
export function startWorldChain(plan: WorldPlan, port: number, args: readonly string[] = []): Promise<Chain> {
  return startChain(port, [...worldChainArgs(plan), ...args])
}

/** Blocks whose state stays in memory. anvil writes older states to disk and leaves them there when it is killed. */
const READABLE_STATES = 500

/** Also for a restart from a saved state: anvil makes the genesis anew, and with other arguments another one. */
export function worldChainArgs(world: { startsAt: number; actors: readonly unknown[] }): string[] {
  return [
    ...['--timestamp', `${world.startsAt}`, '--accounts', `${Math.max(10, world.actors.length)}`],
    ...['--prune-history', `${READABLE_STATES}`],
  ]
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
