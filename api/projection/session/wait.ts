/** Waiting for a block that a request names, in one process. */
import type { ProjectionWatch } from './watch.ts'

/**
 * Blocks ahead of what is known beyond which a wait cannot succeed. On Ethereum a finalized block trails the head by up
 * to 96 blocks and comes 32 at a time, so a block farther ahead has not been mined yet.
 */
export const WAIT_AHEAD_MAX = 128n

/** Requests that may wait at the same time, in all and of one client address. Further requests do not wait. */
const WAITING_MAX = 1000
export const WAITING_PER_CLIENT_MAX = 100

/**
 * Waits a while for the projection to reach `minBlock`; what waits holds no connection.
 *
 * @param reached the block that the caller has
 * @returns whether to read again: false at once where the wait cannot succeed, or too many wait
 * @throws the signal's reason
 */
export type WaitForBlock = (reached: bigint, minBlock: bigint, signal: AbortSignal) => Promise<boolean>

/** @returns how the requests of one client address wait */
export function createWaitForBlock(watch: ProjectionWatch, patienceMs: number) {
  let inAll = 0
  const byClient = new Map<string, number>()
  const count = (client: string, change: 1 | -1) => {
    inAll += change
    const now = (byClient.get(client) ?? 0) + change
    if (now > 0) byClient.set(client, now)
    else byClient.delete(client)
  }
  const isFull = (client: string) =>
    inAll >= WAITING_MAX || (byClient.get(client) ?? 0) >= WAITING_PER_CLIENT_MAX

  return (client: string): WaitForBlock =>
    async (reached, minBlock, signal) => {
      if (minBlock - reached > WAIT_AHEAD_MAX || isFull(client)) return false
      count(client, 1)
      try {
        await watch.reached(minBlock, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
      } finally {
        count(client, -1)
      }
      signal.throwIfAborted()
      return true
    }
}
