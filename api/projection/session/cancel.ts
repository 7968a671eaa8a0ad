/** Cancels what a connection runs for a client that has left. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Control } from './control.ts'

/** `cancel` needs a connection that those of the cancelled statements cannot exhaust. */
export type Abort = { signal: AbortSignal; cancel: Control['cancel'] }

/** Milliseconds between cancellations: one that arrives between two statements does not affect the second. */
const CANCEL_INTERVAL_MS = 50

/**
 * Once the signal aborts or the deadline has passed, cancels what the connection runs until it is stopped.
 *
 * @param deadlineMs default: no deadline
 * @returns stops it, and resolves when no cancellation is pending
 */
export function cancelOnAbort(
  { signal, cancel }: Abort,
  backendPid: number,
  deadlineMs?: number,
): () => Promise<void> {
  // Made when it is needed: almost no read is cancelled.
  let stopped: AbortController | undefined
  let cancelling = Promise.resolve()
  const cancelAll = async ({ signal }: AbortController) => {
    while (!signal.aborted) {
      // Without a control connection the statement ends at its own timeout.
      await cancel(backendPid).catch(() => {})
      await pause(CANCEL_INTERVAL_MS, undefined, { signal }).catch(() => {})
    }
  }
  const start = () => {
    if (stopped) return
    stopped = new AbortController()
    cancelling = cancelAll(stopped)
  }
  const timer = deadlineMs === undefined ? undefined : setTimeout(start, deadlineMs)
  if (signal.aborted) start()
  else signal.addEventListener('abort', start)
  return () => {
    clearTimeout(timer)
    // A listener that stays on a request's signal keeps the request in memory permanently.
    signal.removeEventListener('abort', start)
    stopped?.abort()
    return cancelling
  }
}
