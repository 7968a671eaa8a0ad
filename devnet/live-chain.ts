/** The devnet's chain: made once with its world, then continued from its saved state by every run. */
import { rmSync } from 'node:fs'
import type { Hash } from 'viem'
import { z } from 'zod'
import { bytes } from '../indexer/verify/hex.ts'
import { type Chain, startChain, startWorldChain } from './chain.ts'
import type { Folder } from './folder.ts'
import { liveChainArgs, type PersistedWorld, persistableWorld } from './persisted-world.ts'
import { createRpcBatch, type RpcBatch } from './rpc.ts'
import { buildWorld, type Progress } from './world/build-world.ts'
import type { WorldPlan } from './world/plan.ts'

/** How the chain moves on. */
export type Pace = {
  blockSeconds: number
  /** Whether a transaction makes a block at once, besides those on the interval. */
  minesAtOnce: boolean
  /** A block is final when two epochs of this many blocks follow it. */
  slotsInAnEpoch: number
}

/** Returns the seconds after which a block is final. */
export function finalAfter({ blockSeconds, slotsInAnEpoch }: Pace): number {
  return 2 * slotsInAnEpoch * blockSeconds
}

const FAST: Pace = { blockSeconds: 2, minesAtOnce: true, slotsInAnEpoch: 1 }
/** Seconds between two blocks of Ethereum. */
const SLOT_SECONDS = 12

/** Seconds of finality that a chain can have: anvil keeps the states of 500 blocks. */
export const FINALITY_SECONDS = { min: 2 * SLOT_SECONDS, max: 3_600 }

/** @param finalitySeconds time from a block until it is final. Default: seconds */
export function paceOf(finalitySeconds: number | undefined): Pace {
  if (finalitySeconds === undefined) return FAST
  const slotsInAnEpoch = Math.ceil(finalitySeconds / (2 * SLOT_SECONDS))
  return { blockSeconds: SLOT_SECONDS, minesAtOnce: false, slotsInAnEpoch }
}

/** A new chain for a world; the chain that continues it has the same genesis. */
export type NewChain = { chain: Chain; genesis: Hash; plan: WorldPlan }

export async function startNewChain(
  folder: Folder,
  plan: WorldPlan,
  port: number,
  onStarted: (chain: Chain) => void,
): Promise<NewChain> {
  rmSync(folder.chainState, { force: true })
  const chain = await startWorldChain(plan, port, ['--dump-state', folder.chainState])
  onStarted(chain)
  return { chain, genesis: await genesisOf(createRpcBatch(chain.rpcUrl)), plan }
}

/** Plays the plan, and saves the chain. */
export async function makeWorld(
  { chain, genesis, plan }: NewChain,
  onProgress: Progress,
): Promise<PersistedWorld> {
  await buildWorld(chain.rpcUrl, plan, onProgress)
  const { signal } = await chain.stop()
  if (signal === 'SIGKILL') throw new Error('the chain could not be saved')
  return persistableWorld(plan, genesis)
}

/** Continues the saved chain at the present. */
export async function continueChain(
  folder: Folder,
  world: PersistedWorld,
  { port, pace, onLine }: { port: number; pace: Pace; onLine: (line: string) => void },
): Promise<Chain> {
  const chain = await startChain(port, liveChainArgs(world, folder, pace), onLine, pace.slotsInAnEpoch)
  try {
    const rpc = createRpcBatch(chain.rpcUrl)
    await checkGenesis(rpc, world, chain.rpcUrl)
    await catchUp(rpc, pace)
    return chain
  } catch (problem) {
    await chain.stop()
    throw problem
  }
}

/** Another program's chain may listen on the same port. */
async function checkGenesis(rpc: RpcBatch, world: PersistedWorld, rpcUrl: string): Promise<void> {
  const genesis = await genesisOf(rpc)
  if (genesis !== world.genesis) {
    throw new Error(
      `${rpcUrl} answers with another chain than the one kept here (genesis ${genesis}, expected ${world.genesis}).\n` +
        'Start over with: npm run dev -- --fresh',
    )
  }
}

/**
 * The finalized block and all after it at once: the clock jumps to the present, and the finalized block is one whose
 * state anvil still has.
 */
async function catchUp(rpc: RpcBatch, { slotsInAnEpoch, minesAtOnce, blockSeconds }: Pace): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const latest = Number((await blockOf(rpc, 'latest')).timestamp)
  const blocks = 2 * slotsInAnEpoch + 1
  const spacing = minesAtOnce ? 1 : blockSeconds
  for (let mined = 1; mined <= blocks; mined += 1) {
    const timestamp = Math.max(now - spacing * (blocks - mined), latest + mined)
    await rpc([['evm_mine', [{ timestamp }]]])
  }
}

const blockShape = z.object({ hash: bytes, number: z.string(), timestamp: z.string() })

async function blockOf(rpc: RpcBatch, block: string) {
  const [answer] = await rpc([['eth_getBlockByNumber', [block, false]]])
  return blockShape.parse(answer)
}

async function genesisOf(rpc: RpcBatch): Promise<Hash> {
  return (await blockOf(rpc, '0x0')).hash
}
