/** Finalized blocks of the past, by number or by time. */
import { formatTime } from '../domain/time.ts'
import { CodedError, chainUnavailable, validationFailed } from '../errors.ts'
import type { Chain } from './client.ts'
import { createLruCache } from './lru-cache.ts'
import { pinFinalizedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** A block, or a time (Unix seconds), which stands for the last block until then. */
export type AsOf = { readonly block: bigint } | { readonly time: bigint }

/** A block of the past; `timestamp` in Unix seconds. */
export type PastBlock = { readonly blockNumber: bigint; readonly timestamp: bigint }

/**
 * Finds a finalized block.
 *
 * @param readAround reads the blocks of the projection next to it
 * @throws CodedError `AS_OF_NOT_FINAL` beyond the last finalized block, `VALIDATION_FAILED` before the first block,
 * `CHAIN_UNAVAILABLE`
 */
export type BlockAsOf = (asOf: AsOf, readAround: () => Promise<Around>) => Promise<PastBlock>

/** Blocks and times that are kept. They are final. */
const KEPT_MAX = 1000
/** Steps that guess a block by its time. The steps after that halve the range. */
const GUESSES_MAX = 12

/** Blocks of the projection next to a block or a time: the last that is not after it, and the first that is. */
export type Around = { readonly before?: PastBlock | undefined; readonly after?: PastBlock | undefined }

/**
 * Nodes are asked for blocks between those of the projection only, and their answers must lie between them: no node can
 * move a time past an event.
 *
 * @param startBlock the first block of the protocol, before which no row is of any time
 */
export function createBlockAsOf(chain: Chain, startBlock: bigint): BlockAsOf {
  const times = createLruCache<bigint>(KEPT_MAX)
  const found = createLruCache<PastBlock>(KEPT_MAX)
  /** Searches that others of the same block or time wait for. */
  const running = new Map<string, Promise<PastBlock>>()

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

  const find = async (asOf: AsOf, around: Around): Promise<PastBlock> => {
    const { number, timestamp } = await pinFinalizedBlock(chain)
    const last = { blockNumber: number, timestamp }
    return 'block' in asOf
      ? blockAt(asOf.block, last, around, timeOf)
      : blockUntil(asOf.time, { first: startBlock, last }, around, timeOf)
  }

  const search = async (name: string, asOf: AsOf, around: Around): Promise<PastBlock> => {
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
  last: PastBlock,
  around: Around,
  timeOf: TimeOf,
): Promise<PastBlock> {
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
  { first, last }: { first: bigint; last: PastBlock },
  { before, after }: Around,
  timeOf: TimeOf,
): Promise<PastBlock> {
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
function between(low: PastBlock, high: PastBlock, time: bigint, isGuess: boolean): bigint {
  const blocks = high.blockNumber - low.blockNumber
  const seconds = high.timestamp - low.timestamp
  const share = isGuess && seconds > 0n ? ((time - low.timestamp) * blocks) / seconds : blocks / 2n
  const inside = share < 1n ? 1n : share > blocks - 1n ? blocks - 1n : share
  return low.blockNumber + inside
}

/** @param subject with a capital letter @param last the last finalized block, if it is known */
export function notFinal(subject: string, last?: PastBlock): CodedError {
  const final = last
    ? `: the last finalized block is ${last.blockNumber} of ${formatTime(last.timestamp)}`
    : ''
  return new CodedError('AS_OF_NOT_FINAL', `${subject} is not final${final}.`)
}
