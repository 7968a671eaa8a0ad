import type { Hex } from 'viem'
import type { Log } from './verify/log.ts'

/** Logs by the hash of their block: at most `max`, or those of one block; the oldest are dropped first. */
export function keepLogs(max: number) {
  const kept = new Map<Hex, Log[]>()
  let count = 0
  return {
    of: (hash: Hex) => kept.get(hash),
    keep(hash: Hex, logs: Log[]): void {
      if (kept.has(hash)) return
      kept.set(hash, logs)
      count += logs.length
      for (const [oldest, { length }] of kept) {
        if (count <= max || oldest === hash) return
        kept.delete(oldest)
        count -= length
      }
    },
  }
}
