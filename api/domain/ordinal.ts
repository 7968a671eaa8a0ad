/** The place of an event on the chain as one number: later events have greater ones. */

/** 62 bits, so that an ordinal fits an integer of 64 bits. The last one distinguishes two rows of one event. */
const BLOCK_BITS = 39n
const LOG_BITS = 22n
const ROW_BITS = 1n
const BLOCK_SHIFT = LOG_BITS + ROW_BITS

/** The greatest value of 64 bits with a sign. */
export const ORDINAL_MAX = 2n ** 63n - 1n

/** Which of two rows of one event: that of the account that pays or sends, or that of the one that receives. */
export type EventRow = 0n | 1n

/**
 * Returns the ordinal of a row of an event.
 *
 * @throws RangeError for a block from 2^39 on, or a log index from 2^22 on
 */
export function ordinalOf(block: bigint, logIndex: bigint, row: EventRow = 0n): bigint {
  if (block >> BLOCK_BITS > 0n || logIndex >> LOG_BITS > 0n)
    throw new RangeError(`log ${logIndex} of block ${block} has no ordinal of 64 bits`)
  return (block << BLOCK_SHIFT) | (logIndex << ROW_BITS) | row
}

/** Returns a number that is at most the ordinal of each event from the block on, and greater than those before it. */
export function firstOrdinalOf(block: bigint): bigint {
  const first = block << BLOCK_SHIFT
  return first < ORDINAL_MAX ? first : ORDINAL_MAX
}

export function blockOfOrdinal(ordinal: bigint): bigint {
  return ordinal >> BLOCK_SHIFT
}

export function logIndexOfOrdinal(ordinal: bigint): bigint {
  return (ordinal >> ROW_BITS) & ((1n << LOG_BITS) - 1n)
}

/** Returns the ordinal of the first row of the same event. */
export function firstRowOf(ordinal: bigint): bigint {
  return (ordinal >> ROW_BITS) << ROW_BITS
}
