import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds for which a value is used again, so that no number of scrapes makes more reads. */
const FRESH_MS = 10_000

/** Milliseconds that a scrape waits for a value. Prometheus gives up after 10 s by default. */
const WAIT_MS = 2_000

/**
 * @param read what takes a database or a node
 * @param clock milliseconds
 * @returns the value, which is at most `FRESH_MS` old; undefined where it cannot be read in time. There is at most one
 * read at a time, so one that does not end delays no scrape but its own.
 */
export function recent<T>(read: () => Promise<T>, clock: () => number): () => Promise<T | undefined> {
  let value: Promise<T | undefined> | undefined
  let startedAt = 0
  let isReading = false
  const begin = async () => {
    isReading = true
    startedAt = clock()
    try {
      return await read()
    } catch {
      return undefined
    } finally {
      isReading = false
    }
  }
  return async () => {
    // After the clock was set back, the age of the value is unknown.
    const isFresh = Math.abs(clock() - startedAt) < FRESH_MS
    if (!isReading && (value === undefined || !isFresh)) value = begin()
    const waited = new AbortController()
    const late = pause(WAIT_MS, undefined, { signal: waited.signal, ref: false }).catch(() => undefined)
    return Promise.race([value, late]).finally(() => waited.abort())
  }
}
