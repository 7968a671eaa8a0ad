let next: Promise<void> | undefined

/**
 * Resolves at the end of this turn of the event loop, for all callers at once. What they send then goes out together:
 * the first message wakes the process at the other end, which takes longer than a small answer, and finds it awake for
 * the others.
 */
export function turnEnd(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve()
    })
  })
  return next
}
