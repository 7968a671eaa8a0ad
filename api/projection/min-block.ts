/** Snapshots at or after a block that the caller names, so that it can read its own transaction. */
import { CodedError } from '../errors.ts'
import type { FinalizedThrough, OpenOne, OpenSnapshot } from './snapshot.ts'
import type { WaitForBlock } from './wait.ts'

const RETRY_AFTER_SECONDS = 2

/**
 * Opens snapshots at a block or later, and waits for it a while.
 *
 * @throws as `openOne`; CodedError `PROJECTION_BEHIND`; the signal's reason
 */
export function createOpenAt(wait: WaitForBlock) {
  return async (openOne: OpenOne, minBlock: bigint, signal: AbortSignal): Promise<OpenSnapshot> => {
    const open = await openOne()
    const { finalizedThrough } = open.snapshot
    if (finalizedThrough.blockNumber >= minBlock) return open
    await open.close()
    if (!(await wait(finalizedThrough.blockNumber, minBlock, signal))) {
      throw projectionBehind(minBlock, finalizedThrough)
    }
    // Only the snapshot of the read determines its block.
    const later = await openOne()
    if (later.snapshot.finalizedThrough.blockNumber >= minBlock) return later
    await later.close()
    throw projectionBehind(minBlock, later.snapshot.finalizedThrough)
  }
}

function projectionBehind(minBlock: bigint, { blockNumber }: FinalizedThrough): CodedError {
  return new CodedError(
    'PROJECTION_BEHIND',
    `Block ${minBlock} is not projected yet: the projection is complete through finalized block ${blockNumber}. A block follows once the chain has finalized it; try again.`,
    {
      facts: { minBlock: Number(minBlock), finalizedThrough: Number(blockNumber) },
      retryAfter: RETRY_AFTER_SECONDS,
    },
  )
}
