/** Waiting for a block that a request names, in one process. */
import type { ProjectionWatch } from './watch.ts'

/**
 * Blocks ahead of what is known beyond which waiting is vain. On Ethereum a finalized block trails the head by up to 96 blocks
 * and comes 32 at a time, so a block farther ahead has not been mined yet.
 */
export const WAIT_AHEAD_MAX = 128n

/** Requests that may wait at the same time; more are refused at once. */
const WAITING_MAX = 1000

/**
 * Waits a while for the projection to reach `minBlock`; what waits holds no connection.
 *
 * @param reached the block that the caller has
 * @returns whether to look again: false at once where waiting is vain, or too many wait
 * @throws the signal's reason
 */
export type WaitForBlock = (reached: bigint, minBlock: bigint, signal: AbortSignal) => Promise<boolean>

export function createWaitForBlock(watch: ProjectionWatch, patienceMs: number): WaitForBlock {
  let waiting = 0
  return async (reached, minBlock, signal) => {
    if (minBlock - reached > WAIT_AHEAD_MAX || waiting >= WAITING_MAX) return false
    waiting += 1
    try {
      await watch.reached(minBlock, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
    } finally {
      waiting -= 1
    }
    signal.throwIfAborted()
    return true
  }
}
