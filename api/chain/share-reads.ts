import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Joins reads of the same key that overlap, such that no caller's answer is older than its call: callers that come
 * while a read runs share the next read, which begins when the running one ends. Callers in one turn of the event loop
 * share one read. At most one read of a key therefore runs at a time. A failed read fails all callers that share it,
 * and no result is kept.
 */
export function shareReads<Key extends string, T>(read: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const lastOf = new Map<Key, SharedRead<T>>()
  return (key) => {
    const last = lastOf.get(key)
    if (last && !last.hasBegun) return last.answer
    const next: SharedRead<T> = { hasBegun: false, answer: run() }
    lastOf.set(key, next)
    return next.answer

    async function run(): Promise<T> {
      await (last ? last.answer.catch(() => undefined) : nextTurn())
      next.hasBegun = true
      try {
        return await read(key)
      } finally {
        if (lastOf.get(key) === next) lastOf.delete(key)
      }
    }
  }
}

type SharedRead<T> = { hasBegun: boolean; answer: Promise<T> }
