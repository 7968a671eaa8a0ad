/** Times of blocks: the current one, a span of them, and the days from one to a due date. */
import { larger } from './bigint.ts'
import { SECONDS_PER_DAY } from './limits.ts'
import type { UnixSeconds } from './time.ts'

/** The blocks that may execute something. Both ends in Unix seconds, both inclusive. */
export type Window = { readonly start: UnixSeconds; readonly end: UnixSeconds }

/** Returns the current time: the later one of the clock and the chain. */
export function latestOf(clockMs: number, block: { timestamp: UnixSeconds }): UnixSeconds {
  return larger(BigInt(Math.floor(clockMs / 1000)), block.timestamp)
}

/** Whole days from `at` until a due date that is not before it. */
export function daysToDue(dueAt: UnixSeconds, at: UnixSeconds): bigint {
  return (dueAt - at) / SECONDS_PER_DAY
}
