/**
 * Chains that a node may serve by mistake: their chain id is that of the world, and they have the protocol at its
 * addresses.
 */
import { startAnvil } from '../support/anvil.ts'
import { createWorld, startWorld, type World } from '../support/protocol.ts'
import type { WrongChains } from './lies.ts'

export type WorldAmongOthers = {
  world: World
  /** The wrong chains, after blocks were added until both are higher than the world. */
  overtake: () => Promise<WrongChains>
  /** Stops the chains and the world. */
  stop: () => Promise<void>
}

/** Blocks by which the wrong chains are higher than the world: more than one test mines. */
const AHEAD = 200n

/** Starts a world, a chain with its genesis block and other blocks, and a chain with another genesis block. */
export async function startWorldAmongOthers(): Promise<WorldAmongOthers> {
  const timestamp = Math.floor(Date.now() / 1000)
  const world = await startWorld({ timestamp })
  const twin = await startAnvil({ timestamp })
  // A world has no empty block at its beginning.
  await twin.client.mine({ blocks: 1 })
  await createWorld(twin.client, twin.rpcUrl)
  const other = await startWorld({ timestamp: timestamp - 1_000_000 })
  return {
    world,
    async overtake() {
      for (const chain of [twin.client, other.chain]) await mineBeyond(chain, world.chain)
      return { twin: twin.rpcUrl, other: other.rpcUrl }
    },
    async stop() {
      for (const each of [world, twin, other]) await each.stop()
    },
  }
}

async function mineBeyond(chain: World['chain'], lower: World['chain']): Promise<void> {
  const missing = (await lower.getBlockNumber()) + AHEAD - (await chain.getBlockNumber())
  if (missing > 0n) await chain.mine({ blocks: Number(missing) })
}
