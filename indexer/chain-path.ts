/** The chain of finalized blocks that Ponder was given: each block is the child of the one before. */
import type { Hex } from 'viem'
import type { Ask } from '../nodes/connect.ts'
import { anotherChain, type KnownBlock } from '../nodes/identity.ts'
import { Refusal } from '../nodes/refusal.ts'
import { type Block, heightOf } from './verify/block.ts'

/** Blocks by which Ponder's head advances at most at a time: as many as it fetches at once. */
const STEP = 50n
const CONCURRENT_HEADERS = 10n
/** Heights whose hashes are kept: those that Ponder, which fetches 12 blocks per second, may still request. */
const REMEMBERED = 10_000n

/** After this time without a new block the next nodes are requested too: the first one may be stuck. */
const STANDSTILL_MS = 10_000

/** Asks a node for a block and checks it. `block` is a tag or a height. */
export type ReadBlock = (
  ask: Ask,
  block: 'finalized' | bigint,
  transactions: boolean,
) => Promise<Block | null>

export type ChainPath = {
  /** The hash that the block of a height must have, if it is known. */
  hashAt: (height: bigint) => Hex | undefined
  /**
   * The last finalized block; null if it is lower than one returned before. @throws Refusal when the node's chain does
   * not contain that one
   */
  head: (ask: Ask) => Promise<Block | null>
  /**
   * The next block for Ponder, at most `STEP` above the last one; null if the node has none. @throws Refusal when it
   * does not descend from the last one
   */
  next: (ask: Ask) => Promise<Block | null>
  highest: () => Block | null
  /** The last block again, when no node has a newer one. */
  again: () => Block | null
}

/**
 * @param depth blocks that Ponder assumes not to be final; it ignores a new head that is at most this far above its own
 */
export function createChainPath(read: ReadBlock, depth: number, clock: () => number): ChainPath {
  const hashes = new Map<bigint, Hex>()
  let highest: Block | null = null
  /** The block that Ponder continues from. */
  let last: Block | null = null
  /** Time of the last new block, or of the last request in which no node had one. Milliseconds. */
  let movedAt = clock()

  function remember(block: Block): void {
    hashes.set(heightOf(block), block.hash)
    hashes.delete(heightOf(block) - REMEMBERED)
  }

  /**
   * Ponder 0.17 reads the head again after a backfill, and uses it only when it is more than the assumed depth above
   * its own.
   */
  function takeHead(block: Block): void {
    if (highest && heightOf(block) < heightOf(highest)) return
    highest = block
    if (!last || heightOf(block) - heightOf(last) > BigInt(depth)) last = block
    remember(block)
  }

  return {
    hashAt: (height) => hashes.get(height),
    highest: () => highest,
    again() {
      movedAt = clock()
      return last
    },
    async head(ask) {
      const block = await read(ask, 'finalized', true)
      if (!block || isLower(block, highest)) return null
      if (highest) await requireContains(ask, read, block, highest)
      takeHead(block)
      return block
    },
    async next(ask) {
      const newest = await read(ask, 'finalized', true)
      if (!newest || isLower(newest, last)) return null
      const from: Block = last ?? newest
      const path = await pathBetween(ask, read, from, newest)
      if (path.length === 0 && last) return clock() - movedAt < STANDSTILL_MS ? last : null
      movedAt = clock()
      for (const block of path) remember(block)
      const end = path.at(-1) ?? from
      if (!isLower(end, last)) last = end
      if (!isLower(end, highest)) highest = end
      return last
    },
  }
}

async function requireContains(ask: Ask, read: ReadBlock, newest: Block, known: Block): Promise<void> {
  const height = heightOf(known)
  const found = height === heightOf(newest) ? newest : await read(ask, height, false)
  if (found?.hash !== known.hash) throw anotherChain(knownAs(known))
}

/** The blocks after `from` up to `newest`, at most `STEP`, each the child of the one before. */
async function pathBetween(ask: Ask, read: ReadBlock, from: Block, newest: Block): Promise<Block[]> {
  const [start, end] = [heightOf(from), heightOf(newest)]
  if (start === end && from.hash !== newest.hash) throw anotherChain(knownAs(from))
  const last = end - start > STEP ? start + STEP : end
  const path = await headers(ask, read, start + 1n, last - 1n)
  if (last > start) path.push(last === end ? newest : await required(read(ask, last, true), last))
  path.reduce((parent, block) => {
    if (block.parentHash !== parent.hash) throw anotherChain(knownAs(parent))
    return block
  }, from)
  return path
}

async function headers(ask: Ask, read: ReadBlock, first: bigint, last: bigint): Promise<Block[]> {
  const found: Block[] = []
  for (let height = first; height <= last; height += CONCURRENT_HEADERS) {
    const end = height + CONCURRENT_HEADERS - 1n < last ? height + CONCURRENT_HEADERS - 1n : last
    const heights = Array.from({ length: Number(end - height) + 1 }, (_, i) => height + BigInt(i))
    found.push(...(await Promise.all(heights.map((each) => required(read(ask, each, false), each)))))
  }
  return found
}

async function required(reading: Promise<Block | null>, height: bigint): Promise<Block> {
  const block = await reading
  if (!block) throw new Refusal(`does not have block ${height}, which is below its finalized one`)
  return block
}

function isLower(block: Block, other: Block | null): boolean {
  return other !== null && heightOf(block) < heightOf(other)
}

function knownAs(block: Block): KnownBlock {
  return { number: heightOf(block), hash: block.hash }
}
