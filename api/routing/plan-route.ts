/** The optimize use case (specification, section 4): pin, collect, optimize, persist. */
import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import type { LensClaim } from '../chain/lens-types.ts'
import type { PinBlock, PinnedBlock } from '../chain/pin-block.ts'
import { ROUTE_INTENT_TTL_SECONDS } from '../domain/limits.ts'
import { latestOf } from '../domain/window.ts'
import { CodedError } from '../errors.ts'
import {
  type Candidate,
  type ExecutableRoute,
  OptimizerExhausted,
  type RouteResult,
} from '../optimizer/index.ts'
import { OptimizerPoolFull } from '../optimizer-pool/index.ts'
import { findFinalizedThrough, type OpenOne } from '../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import { pruneIntents } from '../store/prune.ts'
import type { RouteIntent, RouteRequest } from '../store/route-intent-row.ts'
import { createIntent } from '../store/route-intents.ts'
import { type Collected, collectCandidates, type FilteredClaim } from './candidates.ts'
import type { RoutingDeps } from './deps.ts'
import { planningWindow, refuseLatePlan, userDeadline } from './planning-window.ts'
import { quoteSnapshotHash, routeIdOf } from './route-id.ts'

/** `intent` exists exactly when the result is executable, `finalizedThrough` once the first index is complete. */
export type PlannedRoute = {
  result: RouteResult
  filteredOut: readonly FilteredClaim[]
  /** The requested claims at the block. */
  claims: readonly LensClaim[]
  /** The candidates of the optimizer. */
  candidates: readonly Candidate[]
  /** Liquidity that the plan could use, by vault. */
  vaultLiquidity: Collected['vaultLiquidity']
  /**
   * Token of the amounts; undefined if no claim exists, or if there is no candidate and the claims have different
   * tokens.
   */
  token: Address | undefined
  block: PinnedBlock
  finalizedThrough: FinalizedThrough | undefined
  intent: RouteIntent | undefined
  /** When the plan was made, in milliseconds. */
  now: number
}

type PlanRequest = RouteRequest & { user: Address; claimIds: readonly Hex[] }

/** Whether the route gets a certificate, which changes nothing of the route. */
type Options = { certify: boolean }

type PlanCall = {
  log: Logger
  signal: AbortSignal
  pinBlock: PinBlock
  /** Opens a snapshot to read the projected block. */
  openProgress: OpenOne
}

/**
 * Plans the cheapest route that reaches the target and stores it as an intent of the user.
 *
 * @throws `CHAIN_UNAVAILABLE`, `CHAIN_BEHIND`, `MIXED_TOKENS`, what the optimizer throws; the signal's reason
 */
export async function planRoute(
  deps: RoutingDeps,
  request: PlanRequest,
  { certify }: Options,
  { log, signal, pinBlock, openProgress }: PlanCall,
): Promise<PlannedRoute> {
  const { planningDelaySeconds } = deps.config
  const block = await pinBlock()
  refuseLatePlan(block, planningDelaySeconds, deps.clock())
  await refuseToLeft(signal)
  const [market, finalizedThrough] = await Promise.all([
    deps.lens.readMarket(block, request),
    // The route is read off the chain alone, so it does not depend on a complete index.
    findFinalizedThrough(openProgress),
    pruneQuietly(deps, request.user, log),
  ])
  const window = planningWindow(block, planningDelaySeconds, request.routeDeadlineSeconds)
  const collected = collectCandidates(market, request.user, window)
  const { candidates, vaultLiquidity, issuerLimits } = collected
  const input = { candidates, vaultLiquidity, issuerLimits, certify, ...bounds(request) }
  const optimizing = deps.optimize(input, signal).catch(refuseOptimizer)
  // Another thread optimizes; this one has nothing else to do for the request meanwhile.
  const snapshot = quoteSnapshotHash(block.number, candidates)
  const result = await optimizing
  const now = deps.clock()
  // Once more, as its deadline counts from now.
  refuseLatePlan(block, planningDelaySeconds, now)
  const plan = { request, block, snapshot }
  const intent = result.executable ? await createIntent(deps.store, toIntent(plan, result, now)) : undefined
  return { result, ...collected, claims: market.claims, block, finalizedThrough, intent, now }
}

/**
 * A client that has left may have planned and consumed the same route elsewhere since; this plan must not prune that.
 * Events of connections come before an immediate, so that even a gateway that was paused until now notices.
 */
async function refuseToLeft(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

const RETRY_AFTER_SECONDS = 2

function refuseOptimizer(error: unknown): never {
  if (error instanceof OptimizerExhausted) {
    const { advance, atMost } = error
    const known = advance > 0n ? `A route with an advance of ${advance} is known, and none` : 'None'
    throw new CodedError(
      'OPTIMIZER_EXHAUSTED',
      `The search ended at its work limit without a route or a proof that there is none. ${known} advances more than ${atMost}. Use a lower target or fewer claims.`,
      {
        facts: { knownAdvance: `${advance}`, advanceAtMost: `${atMost}` },
        retryAfter: RETRY_AFTER_SECONDS,
        cause: error,
      },
    )
  }
  if (error instanceof OptimizerPoolFull) {
    const retryAfter = RETRY_AFTER_SECONDS
    throw new CodedError(
      'OPTIMIZER_BUSY',
      'The limit of concurrent optimizations is reached. Try again shortly.',
      {
        retryAfter,
      },
    )
  }
  throw error
}

function bounds({ targetAdvance, maxTotalFace, maxTotalCost }: RouteRequest) {
  return {
    targetAdvance,
    ...(maxTotalFace !== undefined && { maxTotalFace }),
    ...(maxTotalCost !== undefined && { maxTotalCost }),
  }
}

type Plan = { request: PlanRequest; block: PinnedBlock; snapshot: Hex }

/** Both of its times count from now, when it is stored. */
function toIntent(
  { request, block, snapshot }: Plan,
  { legs }: ExecutableRoute,
  now: number,
): Omit<RouteIntent, 'intentId' | 'status'> {
  const { user, claimIds, ...terms } = request
  return {
    routeId: routeIdOf({ ...terms, user, legs, quoteSnapshotHash: snapshot }),
    user,
    blockNumber: block.number,
    request: { ...terms, claimIds },
    legs,
    createdAt: new Date(now),
    expiresAt: new Date(now + ROUTE_INTENT_TTL_SECONDS * 1000),
    userDeadline: userDeadline(latestOf(now, block), request.routeDeadlineSeconds),
  }
}

/** A failure is logged and does not fail the request: `status` of the same route is then that of its earlier use. */
async function pruneQuietly({ store, clock }: RoutingDeps, user: Address, log: Logger): Promise<void> {
  try {
    await pruneIntents(store, new Date(clock()), user)
  } catch (error) {
    log.warn({ err: error }, 'route intents could not be pruned')
  }
}
