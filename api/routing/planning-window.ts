/**
 * The time between the pinned block and the last block that may execute a route. Within it whole days to due can only
 * get fewer, so an advance is smallest at its start and largest at its end.
 */
import type { PinnedBlock } from '../chain/pin-block.ts'
import { smaller } from '../domain/bigint.ts'
import {
  MAX_ROUTE_LIFETIME_SECONDS,
  PREPARE_DEADLINE_SECONDS,
  ROUTE_INTENT_TTL_SECONDS,
} from '../domain/limits.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { latestOf, type Window } from '../domain/window.ts'
import { CodedError } from '../errors.ts'

/** Seconds after which another finalized block may be there: one slot of Ethereum. */
const RETRY_AFTER_SECONDS = 12

/** Seconds after optimize that a route's last possible deadline lies at most (specification, section 4). */
function reach(routeDeadlineSeconds: number): bigint {
  return BigInt(Math.min(routeDeadlineSeconds, ROUTE_INTENT_TTL_SECONDS + PREPARE_DEADLINE_SECONDS))
}

/** Computes the last second for which a route asked for at `now` can ever be prepared (specification, section 4). */
export function userDeadline(now: UnixSeconds, routeDeadlineSeconds: number): UnixSeconds {
  return now + reach(routeDeadlineSeconds)
}

/**
 * Computes the window that a route is planned for: a function of the block and the request only, so that every replica
 * plans the same route. It holds every deadline that prepare-execution can give the route, as long as `refuseLatePlan`
 * passes when it is stored: now ≤ block + delay, so now + reach ≤ block + delay + reach.
 *
 * @param delaySeconds setting PLANNING_DELAY_SECONDS
 */
export function planningWindow(
  block: { timestamp: UnixSeconds },
  delaySeconds: number,
  routeDeadlineSeconds: number,
): Window {
  return {
    start: block.timestamp,
    end: block.timestamp + BigInt(delaySeconds) + reach(routeDeadlineSeconds),
  }
}

/**
 * A plan counts on a block that is at most `delaySeconds` old when its route is stored.
 *
 * @throws `CHAIN_BEHIND`
 */
export function refuseLatePlan(
  block: Pick<PinnedBlock, 'number' | 'timestamp'>,
  delaySeconds: number,
  clockMs: number,
): void {
  const age = latestOf(clockMs, block) - block.timestamp
  if (age <= BigInt(delaySeconds)) return
  throw new CodedError(
    'CHAIN_BEHIND',
    `Finalized block ${block.number} is ${age} seconds old; routes are planned on blocks of at most ${delaySeconds} seconds. Optimize again once the chain has finalized a later block.`,
    {
      facts: {
        blockNumber: Number(block.number),
        blockAgeSeconds: Number(age),
        maximumAgeSeconds: delaySeconds,
      },
      retryAfter: RETRY_AFTER_SECONDS,
    },
  )
}

/**
 * Computes the deadline of a route prepared at `now`: min(userDeadline, now + 300 s) (specification, section 4), and no
 * more than the router takes in the pinned block. Every block that can execute the route is later, so none refuses the
 * deadline as too far away.
 */
export function preparedDeadline(
  user: UnixSeconds,
  now: UnixSeconds,
  block: { timestamp: UnixSeconds },
): UnixSeconds {
  const ofService = smaller(user, now + BigInt(PREPARE_DEADLINE_SECONDS))
  return smaller(ofService, block.timestamp + BigInt(MAX_ROUTE_LIFETIME_SECONDS))
}
