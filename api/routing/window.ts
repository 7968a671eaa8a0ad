/**
 * The time between the pinned block and the last block that may execute a route. Within it whole days to due can only get
 * fewer, so an advance is smallest at its start and largest at its end.
 */
import { PREPARE_DEADLINE_SECONDS, ROUTE_INTENT_TTL_SECONDS, SECONDS_PER_DAY } from '../domain/limits.ts'
import type { UnixSeconds } from '../domain/time.ts'

/** Both ends in Unix seconds, both inclusive. */
export type Window = { readonly start: UnixSeconds; readonly end: UnixSeconds }

/**
 * A planned window ends on a multiple of this after its block, so that the same request at the same block is planned alike
 * whenever it is asked. Fifteen minutes cover Ethereum's finality and one deadline without a step in between.
 */
const PLAN_STEP_SECONDS = 900n

/** Seconds that reading and searching may take before the route is stored; what takes longer comes off the deadline. */
const PLANNING_SECONDS = 60n

/** What time it is, by whichever of the two is ahead: our clock, or the chain. */
export function latestOf(clockMs: number, block: { timestamp: UnixSeconds }): UnixSeconds {
  const clock = BigInt(Math.floor(clockMs / 1000))
  return clock > block.timestamp ? clock : block.timestamp
}

/** The last second for which a route asked for at `now` can ever be prepared (specification, section 4). */
export function userDeadline(now: UnixSeconds, routeDeadlineSeconds: number): UnixSeconds {
  const reach = Math.min(routeDeadlineSeconds, ROUTE_INTENT_TTL_SECONDS + PREPARE_DEADLINE_SECONDS)
  return now + BigInt(reach)
}

/** The window that a route is planned for: it holds every deadline that prepare-execution can later give it. */
export function planningWindow(
  block: { timestamp: UnixSeconds },
  now: UnixSeconds,
  routeDeadlineSeconds: number,
): Window {
  const reach = userDeadline(now, routeDeadlineSeconds) + PLANNING_SECONDS - block.timestamp
  const steps = (reach + PLAN_STEP_SECONDS - 1n) / PLAN_STEP_SECONDS
  return { start: block.timestamp, end: block.timestamp + steps * PLAN_STEP_SECONDS }
}

/** The deadline of a route prepared at `now`: min(userDeadline, now + 300 s) (specification, section 4). */
export function preparedDeadline(user: UnixSeconds, now: UnixSeconds): UnixSeconds {
  const bound = now + BigInt(PREPARE_DEADLINE_SECONDS)
  return user < bound ? user : bound
}

/** Whole days from `at` until a due date that is not before it. */
export function daysToDue(dueAt: UnixSeconds, at: UnixSeconds): bigint {
  return (dueAt - at) / SECONDS_PER_DAY
}
