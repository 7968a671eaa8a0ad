import { setTimeout } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { KnownBlock } from '../nodes/identity.ts'
import { createNodes } from './nodes.ts'
import { blockByNumber } from './verified-reads.ts'

const TIMEOUT_MS = 10_000

/**
 * Hashes of blocks by height, from the nodes that serve `chainId`; undefined where no node has the block.
 * @returns a function that throws an error without any node's URL when no node can be used
 */
export function blockHashes(
  urls: readonly string[],
  chainId: number,
  { genesis, known }: { genesis?: Hex | undefined; known?: KnownBlock | undefined } = {},
) {
  const nodes = createNodes({
    urls,
    chainId,
    genesis,
    known,
    limits: { timeout: TIMEOUT_MS },
    clock: Date.now,
    pause: setTimeout,
    // The Ponder process reports refused nodes.
    report: () => {},
  })
  return async (height: bigint): Promise<Hex | undefined> => {
    const block = await nodes.use((ask) => blockByNumber(ask, height, false, false))
    return block?.hash
  }
}
