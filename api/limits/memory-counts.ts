import type { Clock } from '../deps.ts'

/** The amount that one client has used in its current window. */
export type Count = {
  /** Requests, or points of cost. */
  hits: number
  /** Milliseconds since 1970. A window has a fixed end: further requests do not extend it. */
  resetsAt: number
}

/**
 * Keys that are counted at the same time, some 20 MB. Beyond them the older half is forgotten: a client with that many
 * networks can evade a limit per address anyway, and refusing new addresses would let one such client lock out all
 * others.
 */
export const KEYS_MAX = 100_000

/** Counts requests by key in this process: without I/O, in constant time and in bounded memory. */
export function createMemoryCounts({ windowMs, clock }: { windowMs: number; clock: Clock }) {
  // Two generations, of which the older one is dropped whole: deleting single keys would leave holes that a Map skips
  // one by one. A generation takes new keys for one window at least, unless it is full, so no window is forgotten
  // before its end.
  let older = new Map<string, Count>()
  let newer = new Map<string, Count>()
  let bornAt = Number.NEGATIVE_INFINITY
  const age = (now: number) => {
    const isYoung = now >= bornAt && now < bornAt + windowMs
    if (isYoung && newer.size < KEYS_MAX / 2) return
    older = newer
    newer = new Map()
    bornAt = now
  }
  // An end beyond a whole window is that of a clock which was set back.
  const isOpen = ({ resetsAt }: Count, now: number) => resetsAt > now && resetsAt <= now + windowMs
  return {
    /** @param amount added to the count; 0 returns the count alone */
    count(key: string, amount = 1): Count {
      const now = clock()
      age(now)
      const known = newer.get(key) ?? older.get(key)
      if (known && isOpen(known, now)) {
        known.hits += amount
        return known
      }
      const fresh = { hits: amount, resetsAt: now + windowMs }
      newer.set(key, fresh)
      return fresh
    },
    size: () => newer.size + older.size,
  }
}
