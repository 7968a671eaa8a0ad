/** Snapshots at or after a block that the caller names, so that it can read its own transaction. */
import { CodedError } from '../../errors.ts'
import type { FinalizedThrough, OpenOne, OpenSnapshot } from './snapshot.ts'
import type { Readout } from './statement.ts'
import type { WaitForBlock } from './wait.ts'

const RETRY_AFTER_SECONDS = 2

/**
 * Opens snapshots at a block or later, and waits for it a while.
 *
 * @throws as `openOne`; CodedError `PROJECTION_BEHIND`; the signal's reason
 */
export function createOpenAt(wait: WaitForBlock) {
  return (openOne: OpenOne, minBlock: bigint, signal: AbortSignal): Promise<OpenSnapshot> => {
    const attempt = async (): Promise<Attempt<OpenSnapshot>> => {
      const open = await openOne()
      return { result: open, through: open.snapshot.finalizedThrough, discard: open.close }
    }
    return reach(wait, attempt, minBlock, signal)
  }
}

/** As `createOpenAt`, for reads that are one statement. @throws as `readOne`; as `createOpenAt` */
export function createReadAt(wait: WaitForBlock) {
  return (readOne: () => Promise<Readout>, minBlock: bigint, signal: AbortSignal): Promise<Readout> => {
    const attempt = async (): Promise<Attempt<Readout>> => {
      const result = await readOne()
      return { result, through: result.finalizedThrough, discard: async () => {} }
    }
    return reach(wait, attempt, minBlock, signal)
  }
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
  return new CodedError(
    'PROJECTION_BEHIND',
    `Block ${minBlock} is not projected yet: the projection is complete through finalized block ${blockNumber}. A block follows once the chain has finalized it; try again.`,
    {
      facts: { minBlock: Number(minBlock), finalizedThrough: Number(blockNumber) },
      retryAfter: RETRY_AFTER_SECONDS,
    },
  )
}
