/** Headers of blocks that are not final yet. */
import type { Hex } from 'viem'
import type { Chain } from '../chain/client.ts'

/** `timestamp` is in Unix seconds. */
export type Header = {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: bigint
}

/** Maximum number of blocks of a branch. Ethereum finalizes a block before 100 more follow it. */
export const BLOCKS_MAX = 128

export async function readHead(chain: Chain): Promise<Header> {
  return toHeader(await chain.getBlock({ blockTag: 'latest', includeTransactions: false }))
}

/**
 * Reads the branch that ends in `head`: its ancestors above `base`, oldest first, at most `BLOCKS_MAX`. Headers that
 * are known are not read again.
 *
 * @throws Error for a node whose answers do not form a chain
 */
export async function readBranch(
  chain: Chain,
  head: Header,
  base: bigint,
  known: ReadonlyMap<Hex, Header>,
): Promise<readonly Header[]> {
  const branch = [head]
  let oldest = head
  while (oldest.number > base + 1n && branch.length < BLOCKS_MAX) {
    const parent = known.get(oldest.parentHash) ?? (await readHeader(chain, oldest.parentHash))
    if (parent.number !== oldest.number - 1n)
      throw new Error(
        `the parent of block ${oldest.number} with hash ${oldest.hash} has the number ${parent.number}`,
      )
    branch.push(parent)
    oldest = parent
  }
  return branch.reverse()
}

async function readHeader(chain: Chain, blockHash: Hex): Promise<Header> {
  const header = toHeader(await chain.getBlock({ blockHash, includeTransactions: false }))
  if (header.hash !== blockHash) throw new Error(`a node answers block ${header.hash} for block ${blockHash}`)
  return header
}

function toHeader({ number, hash, parentHash, timestamp }: Header): Header {
  return { number, hash, parentHash, timestamp }
}
