import { BaseError, BlockNotFoundError, type Hash } from 'viem'
import { createChain } from '../api/chain/client.ts'

const TIMEOUT_MS = 10_000

/**
 * Hashes of blocks by height; undefined where the chain has no such block.
 *
 * @returns a function that throws an error without any node's URL when no node answers
 */
export function blockHashes(urls: readonly string[], _chainId: number) {
  const chain = createChain({ urls, timeout: TIMEOUT_MS })
  return async (blockNumber: bigint): Promise<Hash | undefined> => {
    try {
      return (await chain.getBlock({ blockNumber })).hash
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      // The message of the library names the node's URL, which may hold a key.
      const reason = error instanceof BaseError ? error.shortMessage : String(error)
      throw new Error(`no node answered for block ${blockNumber}: ${reason}`)
    }
  }
}
