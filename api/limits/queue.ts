/** A queue in front of concurrency limits: work that finds no room waits, for a bounded time and in bounded numbers. */
import { createConcurrencyLimit, type Limit, type Release } from './concurrency-limit.ts'

export type QueuedWork = {
  /** The limit that the work counts towards while it runs. */
  readonly limits: readonly Limit[]
  /** The limit that it counts towards while it waits. Default: none. */
  readonly waiting?: readonly Limit[]
  /** Milliseconds that it waits at most; the default is no limit. */
  readonly timeoutMs?: number | undefined
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined
}

type Waiter = { readonly limits: readonly Limit[]; readonly admit: (release: Release) => void }

/**
 * Work is admitted in the order of arrival, but work whose own limits are used up is skipped: a caller that waits for
 * its own earlier work does not delay others.
 *
 * @returns acquires room for a piece of work, and resolves with how to release it
 * @throws the refusal of the first limit that is used up, where the work may not wait or has waited too long; the
 * reason of the signal
 */
export function createQueue(): (work: QueuedWork) => Promise<Release> {
  const running = createConcurrencyLimit()
  const queued = createConcurrencyLimit()
  const waiters = new Set<Waiter>()

  const start = (limits: readonly Limit[]): Release => {
    const release = running.acquire(limits)
    return () => {
      release()
      admitWaiters()
    }
  }
  const admitWaiters = () => {
    for (const waiter of waiters) if (!running.findExceeded(waiter.limits)) waiter.admit(start(waiter.limits))
  }

  return async ({ limits, waiting = [], timeoutMs, signal }) => {
    signal?.throwIfAborted()
    if (!running.findExceeded(limits)) return start(limits)
    const leaveQueue = queued.acquire(waiting)
    return new Promise<Release>((resolve, reject) => {
      const leave = () => {
        waiters.delete(waiter)
        leaveQueue()
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        leave()
        reject(signal?.reason)
      }
      const expire = () => {
        leave()
        const exceeded = running.findExceeded(limits)
        // Room that came with the timer is room.
        if (exceeded) reject(exceeded.refuse(exceeded.max))
        else resolve(start(limits))
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
      signal?.addEventListener('abort', abort)
      const waiter: Waiter = {
        limits,
        admit: (release) => {
          leave()
          resolve(release)
        },
      }
      waiters.add(waiter)
    })
  }
}
