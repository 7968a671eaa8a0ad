/** Snapshots that are not behind a block that the caller names: how it reads what it has just written. */
import { CodedError } from '../errors.ts'
import type { ProjectionDb } from './database.ts'
import { type FinalizedThrough, type OpenSnapshot, openSnapshot } from './snapshot.ts'
import type { ProjectionWatch } from './watch.ts'

/**
 * Blocks ahead of the projection beyond which waiting is vain. On Ethereum a finalized block trails the head by up to 96 blocks
 * and comes 32 at a time, so a block farther ahead has not been mined yet.
 */
export const WAIT_AHEAD_MAX = 128n

/** Reads that may wait at the same time, in one process; more are told to come back. */
const WAITING_MAX = 1000

const RETRY_AFTER_SECONDS = 2

type Source = { db: ProjectionDb; watch: ProjectionWatch; patienceMs: number }

/**
 * Opens snapshots at a block or later, and waits for it a while. What waits holds no connection, and stops when the
 * signal aborts or the watch is closed.
 *
 * @throws as `openSnapshot`; CodedError `PROJECTION_BEHIND`; the signal's reason
 */
export function createOpenAt({ db, watch, patienceMs }: Source) {
  let waiting = 0

  const wait = async (minBlock: bigint, signal: AbortSignal): Promise<void> => {
    waiting += 1
    try {
      await watch.reached(minBlock, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
    } finally {
      waiting -= 1
    }
    signal.throwIfAborted()
  }

  return async (minBlock: bigint, signal: AbortSignal): Promise<OpenSnapshot> => {
    const open = await openSnapshot(db)
    const { blockNumber } = open.snapshot.finalizedThrough
    if (blockNumber >= minBlock) return open
    await open.close()
    const isVain = minBlock - blockNumber > WAIT_AHEAD_MAX
    if (isVain || waiting >= WAITING_MAX) throw projectionBehind(minBlock, open.snapshot.finalizedThrough)
    await wait(minBlock, signal)
    // Only the snapshot that will be read can say where it is.
    const later = await openSnapshot(db)
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
