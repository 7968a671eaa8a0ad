export type LruCache<T> = { get: (key: string) => T | undefined; set: (key: string, value: T) => void }

/** Keeps the values of the last `max` keys that were read or set. Entries do not expire, so a value must not change. */
export function createLruCache<T>(max: number): LruCache<T> {
  // A map iterates in the order of insertion, so its first key is the least recently used one.
  const values = new Map<string, T>()
  const set = (key: string, value: T) => {
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > max && oldest !== undefined) values.delete(oldest)
  }
  return {
    get: (key) => {
      const value = values.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
