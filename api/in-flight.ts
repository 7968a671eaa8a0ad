export type InFlight<T> = {
  readonly add: (item: T) => void
  /** Removes it once, if it is there. */
  readonly remove: (item: T) => void
  readonly has: (item: T) => boolean
  /** In the order in which they were added. What is added or removed later has no effect on this list. */
  readonly all: () => readonly T[]
}

/**
 * What comes and goes with each request. A `Set` would keep requests in memory after their end: V8 replaces its table after some removals, and each replaced table
 * refers to its own items and to the next table. Once one table is old, so is each later one, until the next full collection.
 */
export function createInFlight<T>(): InFlight<T> {
  const items: T[] = []
  return {
    add: (item) => {
      items.push(item)
    },
    remove: (item) => {
      // Most of what ends began last: streams stay, and requests pass.
      const at = items.lastIndexOf(item)
      if (at !== -1) items.splice(at, 1)
    },
    has: (item) => items.includes(item),
    all: () => [...items],
  }
}
