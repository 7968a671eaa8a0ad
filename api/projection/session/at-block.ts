/** Reads at or after a block that the caller names, so that it can read its own transaction. */
import { CodedError } from '../../errors.ts'
import type { OpenOne, OpenSnapshot } from './snapshot.ts'
import type { FinalizedThrough, Readout } from './state.ts'
import type { ProjectionWatch } from './watch.ts'

/**
 * Blocks ahead of what is known beyond which a wait cannot succeed. On Ethereum a finalized block trails the head by up
 * to 96 blocks and comes 32 at a time, so a block farther ahead has not been mined yet.
 */
export const WAIT_AHEAD_MAX = 128n

/**
 * Waits a while for the projection to reach `minBlock`; what waits holds no connection.
 *
 * @param reached the block that the caller has
 * @returns whether to read again: false at once where the wait cannot succeed, or too many wait
 * @throws the signal's reason
 */
export type WaitForBlock = (reached: bigint, minBlock: bigint, signal: AbortSignal) => Promise<boolean>

/** @param admit returns how to end the wait; undefined where too many wait */
export function createWaitForBlock(
  watch: ProjectionWatch,
  patienceMs: number,
  admit: () => (() => void) | undefined,
): WaitForBlock {
  return async (reached, minBlock, signal) => {
    const leave = isTooFarAhead(reached, minBlock) ? undefined : admit()
    if (!leave) return false
    try {
      await watch.reached(minBlock, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
    } finally {
      leave()
    }
    signal.throwIfAborted()
    return true
  }
}

/** Whether a wait for the block cannot succeed. */
export function isTooFarAhead(reached: bigint, minBlock: bigint): boolean {
  return minBlock - reached > WAIT_AHEAD_MAX
}

/** Remedy where a block is too far ahead to wait for. */
export const TOO_FAR_AHEAD = `No request waits for a block more than ${WAIT_AHEAD_MAX} blocks ahead; compare the number with that of your transaction.`

const RETRY_AFTER_SECONDS = 2

/**
 * Opens a snapshot at a block or later, and waits for it a while.
 *
 * @throws as `open`; CodedError `PROJECTION_BEHIND`; the signal's reason
 */
export function openAt(
  wait: WaitForBlock,
  open: OpenOne,
  minBlock: bigint,
  signal: AbortSignal,
): Promise<OpenSnapshot> {
  const attempt = async () => {
    const result = await open()
    return { result, through: result.snapshot.finalizedThrough, discard: result.close }
  }
  return reach(wait, attempt, minBlock, signal)
}

/** As `openAt`, for reads that are one statement. */
export function readAt(
  wait: WaitForBlock,
  read: () => Promise<Readout>,
  minBlock: bigint,
  signal: AbortSignal,
): Promise<Readout> {
  const attempt = async () => {
    const result = await read()
    return { result, through: result.finalizedThrough, discard: async () => {} }
  }
  return reach(wait, attempt, minBlock, signal)
}

type Attempt<T> = { result: T; through: FinalizedThrough; discard: () => Promise<void> }

async function reach<T>(
  wait: WaitForBlock,
  attempt: () => Promise<Attempt<T>>,
  minBlock: bigint,
  signal: AbortSignal,
): Promise<T> {
  const early = await attempt()
  if (early.through.blockNumber >= minBlock) return early.result
  await early.discard()
  if (!(await wait(early.through.blockNumber, minBlock, signal))) {
    throw projectionBehind(minBlock, early.through)
  }
  // Only the snapshot of the read determines its block.
  const later = await attempt()
  if (later.through.blockNumber >= minBlock) return later.result
  await later.discard()
  throw projectionBehind(minBlock, later.through)
}

function projectionBehind(minBlock: bigint, { blockNumber }: FinalizedThrough): CodedError {
  const remedy = isTooFarAhead(blockNumber, minBlock)
    ? TOO_FAR_AHEAD
    : 'A block follows once the chain has finalized it; try again.'
  return new CodedError(
    'PROJECTION_BEHIND',
    `Block ${minBlock} is not projected yet: the projection is complete through finalized block ${blockNumber}. ${remedy}`,
    {
      facts: { minBlock: Number(minBlock), finalizedThrough: Number(blockNumber) },
      retryAfter: RETRY_AFTER_SECONDS,
    },
  )
}
