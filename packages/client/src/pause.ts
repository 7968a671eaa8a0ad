/** A delay that a signal ends. */

/** The longest delay of `setTimeout`, milliseconds: a longer one would fire at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, TIMER_MAX_MS))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
