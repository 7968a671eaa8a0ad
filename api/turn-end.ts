let next: Promise<void> | undefined

/**
 * Resolves at the end of this turn of the event loop, for all callers at once. Their messages then go out together: the
 * first one wakes the process at the other end, which takes longer than a small answer, and the others find it awake.
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
