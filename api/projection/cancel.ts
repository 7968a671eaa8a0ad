/** Cancels what a connection runs for a client that has left. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Control } from './control.ts'

/** `cancel` needs a connection that those of the cancelled statements cannot exhaust. */
export type Abort = { signal: AbortSignal; cancel: Control['cancel'] }

/** Milliseconds between cancellations: one that arrives between two statements does not affect the second. */
const CANCEL_INTERVAL_MS = 50

/**
 * Once the signal aborts, cancels what the connection runs until it is stopped.
 *
 * @returns stops it, and resolves when no cancellation is pending
 */
export function cancelOnAbort({ signal, cancel }: Abort, backendPid: number): () => Promise<void> {
  const stopped = new AbortController()
  let cancelling = Promise.resolve()
  const cancelAll = async () => {
    while (!stopped.signal.aborted) {
      // Without a control connection the statement ends at its own timeout.
      await cancel(backendPid).catch(() => {})
      await pause(CANCEL_INTERVAL_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const start = () => {
    cancelling = cancelAll()
  }
  if (signal.aborted) start()
  else signal.addEventListener('abort', start)
  return () => {
    // A listener that stays on a request's signal keeps the request in memory permanently.
    signal.removeEventListener('abort', start)
    stopped.abort()
    return cancelling
  }
}
