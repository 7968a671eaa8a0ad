/** Finalized blocks of the past, by number or by time. */
import { formatTime } from '../domain/time.ts'
import { CodedError, chainUnavailable, validationFailed } from '../errors.ts'
import type { Around, AsOf } from '../projection/past/around.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import type { Chain } from './client.ts'
import { createLruCache } from './lru-cache.ts'
import { pinFinalizedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/**
 * Finds a finalized block.
 *
 * @param readAround reads the blocks of the projection next to it
 * @throws CodedError `AS_OF_NOT_FINAL` beyond the last finalized block, `VALIDATION_FAILED` before the first block,
 * `CHAIN_UNAVAILABLE`
 */
export type BlockAsOf = (asOf: AsOf, readAround: () => Promise<Around>) => Promise<FinalizedThrough>

/** Blocks and times that are kept. They are final. */
const KEPT_MAX = 1000
/** Steps that guess a block by its time. The steps after that halve the range. */
const GUESSES_MAX = 12

/**
 * Nodes are asked for blocks between those of the projection only, and their answers must lie between them: no node can
 * move a time past an event.
 *
 * @param startBlock the first block of the protocol, before which no row is of any time
 */
export function createBlockAsOf(chain: Chain, startBlock: bigint): BlockAsOf {
  const times = createLruCache<bigint>(KEPT_MAX)
  const found = createLruCache<FinalizedThrough>(KEPT_MAX)
  /** Searches that others of the same block or time wait for. */
  const running = new Map<string, Promise<FinalizedThrough>>()

  const timeOf: TimeOf = async (blockNumber, around) => {
    const known = times.get(String(blockNumber))
    if (known !== undefined && isBetween(known, around)) return known
    const { timestamp } = await readChain(`block ${blockNumber}`, () =>
      chain.getBlock({ blockNumber, includeTransactions: false }),
    )
    if (!isBetween(timestamp, around)) throw misplaced(blockNumber)
    times.set(String(blockNumber), timestamp)
    return timestamp
  }

  const find = async (asOf: AsOf, around: Around): Promise<FinalizedThrough> => {
    const { number, timestamp } = await pinFinalizedBlock(chain)
    const last = { blockNumber: number, timestamp }
    return 'block' in asOf
      ? blockAt(asOf.block, last, around, timeOf)
      : blockUntil(asOf.time, { first: startBlock, last }, around, timeOf)
  }

  const search = async (name: string, asOf: AsOf, around: Around): Promise<FinalizedThrough> => {
    const block = await find(asOf, around)
    // Otherwise, an event can follow that the time does not fit.
    if (around.after || around.before?.blockNumber === block.blockNumber) found.set(name, block)
    return block
  }

  return async (asOf, readAround) => {
    const name = 'block' in asOf ? `block ${asOf.block}` : `time ${asOf.time}`
    const known = found.get(name)
    if (known) return known
    const around = await readAround()
    const searching = running.get(name) ?? search(name, asOf, around).finally(() => running.delete(name))
    running.set(name, searching)
    return searching
  }
}

type TimeOf = (blockNumber: bigint, around: Around) => Promise<bigint>

function isBetween(timestamp: bigint, { before, after }: Around): boolean {
  return (before?.timestamp ?? timestamp) <= timestamp && timestamp <= (after?.timestamp ?? timestamp)
}

function misplaced(blockNumber: bigint): CodedError {
  return chainUnavailable(
    `The time of the chain's block ${blockNumber} is not between those of the blocks around it: the node may serve another chain.`,
  )
}

async function blockAt(
  blockNumber: bigint,
  last: FinalizedThrough,
  around: Around,
  timeOf: TimeOf,
): Promise<FinalizedThrough> {
  if (blockNumber > last.blockNumber) throw notFinal(`Block ${blockNumber}`, last)
  if (blockNumber === around.before?.blockNumber) return around.before
  return { blockNumber, timestamp: await timeOf(blockNumber, around) }
}

/**
 * The last block that is not after the time: the one before the first that is. A block at the time of the last final
 * one can follow, so that time has no block yet.
 */
async function blockUntil(
  time: bigint,
  { first, last }: { first: bigint; last: FinalizedThrough },
  { before, after }: Around,
  timeOf: TimeOf,
): Promise<FinalizedThrough> {
  if (time >= last.timestamp) throw notFinal(`The time ${formatTime(time)}`, last)
  let high = after ?? last
  let low = before ?? { blockNumber: first, timestamp: await timeOf(first, { after: high }) }
  if (time < low.timestamp) {
    const message = `must not be before the first block of the protocol, ${formatTime(low.timestamp)}`
    throw validationFailed([{ path: 'asOf.time', message }])
  }
  for (let step = 0; high.blockNumber - low.blockNumber > 1n; step += 1) {
    const blockNumber = between(low, high, time, step < GUESSES_MAX)
    const block = { blockNumber, timestamp: await timeOf(blockNumber, { before: low, after: high }) }
    if (block.timestamp > time) high = block
    else low = block
  }
  return low
}

/** A block strictly between two others: where a steady chain has the time, or the one in the middle. */
function between(low: FinalizedThrough, high: FinalizedThrough, time: bigint, isGuess: boolean): bigint {
  const blocks = high.blockNumber - low.blockNumber
  const seconds = high.timestamp - low.timestamp
  const share = isGuess && seconds > 0n ? ((time - low.timestamp) * blocks) / seconds : blocks / 2n
  const inside = share < 1n ? 1n : share > blocks - 1n ? blocks - 1n : share
  return low.blockNumber + inside
}

/** @param subject with a capital letter @param last the last finalized block, if it is known */
export function notFinal(subject: string, last?: FinalizedThrough): CodedError {
  const final = last
    ? `: the last finalized block is ${last.blockNumber} of ${formatTime(last.timestamp)}`
    : ''
  return new CodedError('AS_OF_NOT_FINAL', `${subject} is not final${final}.`)
}
