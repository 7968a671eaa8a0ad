/**
 * Concurrency limits: at most so much work at a time by each caller, by a group of callers, and in the whole process.
 */
import type { CodedError } from '../errors.ts'

/** One bound that a piece of work counts against. Work of one key shares one count. */
export type Bound = {
  readonly key: string
  /** Maximum sum of the amounts of concurrent work under this key. */
  readonly max: number
  /** Amount of this work. Default: 1. */
  readonly amount?: number
}

/** A bound with its refusal. */
export type Limit = Bound & { readonly refuse: (max: number) => CodedError }

/** Ends a piece of work; only its first call counts. */
export type Release = () => void

export type ConcurrencyLimit = {
  /** The first bound that is used up; undefined where all have room. */
  findExceeded: <Of extends Bound>(bounds: readonly Of[]) => Of | undefined
  /** The sum of the amounts of the work that runs under this key. */
  amountOf: (key: string) => number
  /** Counts a piece of work against all of the bounds; undefined where one is used up. */
  tryAcquire: (bounds: readonly Bound[]) => Release | undefined
  /** Counts a piece of work against all of the limits. @throws the refusal of the first that is used up */
  acquire: (limits: readonly Limit[]) => Release
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const used = new Map<string, number>()
  const count = (key: string, change: number) => {
    const now = (used.get(key) ?? 0) + change
    if (now > 0) used.set(key, now)
    else used.delete(key)
  }
  const findExceeded = <Of extends Bound>(bounds: readonly Of[]) =>
    bounds.find(({ key, max, amount = 1 }) => (used.get(key) ?? 0) + amount > max)
  const countAll = (bounds: readonly Bound[]): Release => {
    for (const { key, amount = 1 } of bounds) count(key, amount)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      for (const { key, amount = 1 } of bounds) count(key, -amount)
    }
  }
  return {
    findExceeded,
    amountOf: (key) => used.get(key) ?? 0,
    tryAcquire: (bounds) => (findExceeded(bounds) ? undefined : countAll(bounds)),
    acquire: (limits) => {
      const exceeded = findExceeded(limits)
      if (exceeded) throw exceeded.refuse(exceeded.max)
      return countAll(limits)
    },
  }
}
