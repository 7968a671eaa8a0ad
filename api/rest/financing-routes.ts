import type { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { sum } from '../domain/bigint.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import { requireSession } from '../middleware/authenticate.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { createConcurrencyLimit, type Limit } from '../middleware/concurrency-limit.ts'
import type { AppEnv } from '../middleware/env.ts'
import { reachFinalBlock } from '../middleware/min-block.ts'
import type { Allocation, PartialRoute, RouteResult } from '../optimizer/index.ts'
import type { FilteredClaim } from '../routing/candidates.ts'
import type { RoutingDeps } from '../routing/deps.ts'
import { type PlannedRoute, planRoute } from '../routing/plan-route.ts'
import { prepareExecution } from '../routing/prepare-execution.ts'
import type { PreparedRoute } from '../routing/prepared-route.ts'
import type { RouteLegMessage } from '../typed-data/execution-route.ts'
import { presentFinalizedThrough } from './answer.ts'
import { optimizeRoute, type preparedRoute, prepareRouteExecution } from './financing-routes.routes.ts'
import { NOT_STORED, presentBoundLeg, presentIssue, presentLeg, presentTotals } from './prepared.ts'
import { presentRefusal } from './refusal.ts'
import { createRouter } from './router.ts'

/** Maximum number of concurrent plans per wallet. The maximum per client address is twice this. */
const PLANS_PER_WALLET = 4

export function routes(deps: RoutingDeps) {
  const { acquire } = createConcurrencyLimit()
  const limitsOf = (c: Context<AppEnv>): Limit[] => [
    { key: `wallet ${requireSession(c).wallet}`, max: PLANS_PER_WALLET, refuse: tooManyPlans },
    {
      key: `address ${clientAddress(c, deps.config.trustedProxies)}`,
      max: 2 * PLANS_PER_WALLET,
      refuse: tooManyPlans,
    },
  ]
  return createRouter()
    .openapi(optimizeRoute, async (c) => {
      const request = { ...c.req.valid('json'), user: requireSession(c).wallet }
      const release = acquire(limitsOf(c))
      const planned = await planRoute(deps, request, {
        log: c.get('log'),
        signal: c.req.raw.signal,
        pinBlock: c.get('pinBlock'),
        openProgress: () => c.get('openSnapshot')('progress'),
      }).finally(release)
      return c.json(presentPlanned(planned), 200, NOT_STORED)
    })
    .openapi(prepareRouteExecution, async (c) => {
      const { routeId } = c.req.valid('param')
      const idempotencyKey = c.req.valid('header')['idempotency-key']
      const { wallet: user, signedBy } = requireSession(c)
      const request = { user, signedBy, routeId, idempotencyKey }
      // A block that is not final yet must not cost the route.
      await reachFinalBlock(c)
      const prepared = await prepareExecution(deps, request, c.get('pinBlock'))
      return c.json(presentPrepared(prepared, deps.deployment), 200, NOT_STORED)
    })
}

function presentPlanned(planned: PlannedRoute) {
  const { intent, block, result, filteredOut, now } = planned
  return {
    routeId: intent?.routeId ?? null,
    status: intent?.status ?? null,
    expiresAt: intent?.expiresAt.toISOString() ?? null,
    now: new Date(now).toISOString(),
    result: presentResult(result),
    filteredOut: filteredOut.map(presentFiltered),
    blockNumber: Number(block.number),
    finalizedThrough: planned.finalizedThrough ? presentFinalizedThrough(planned.finalizedThrough) : null,
  }
}

function presentResult(result: RouteResult) {
  if (result.executable) {
    const { executable, approximation, explanation } = result
    const { strategy, provenGap } = explanation
    return {
      executable,
      approximation,
      explanation: { strategy, provenGap: formatMoney(provenGap) },
      ...presentAllocation(result),
    }
  }
  const { executable, reason, bestFeasiblePartial } = result
  return {
    executable,
    reason,
    shortfallAdvance: formatMoney(result.shortfallAdvance),
    maxAchievableAdvance: formatMoney(result.maxAchievableAdvance),
    maxAchievableGap: formatMoney(result.maxAchievableGap),
    ...(bestFeasiblePartial && { bestFeasiblePartial: presentPartial(bestFeasiblePartial) }),
  }
}

function presentPartial({ provenGap, ...allocation }: PartialRoute) {
  return { ...presentAllocation(allocation), provenGap: formatMoney(provenGap) }
}

function presentAllocation({ legs, ...sums }: Allocation) {
  return { legs: legs.map(presentLeg), totals: presentTotals(sums) }
}

function presentFiltered({ claimId, vaults, ...refusal }: FilteredClaim) {
  return {
    claimId,
    ...presentRefusal(refusal),
    ...(vaults && { vaults: vaults.map(({ vault, ...why }) => ({ vault, ...presentRefusal(why) })) }),
  }
}

function presentPrepared(prepared: PreparedRoute, { contracts }: Manifest): z.output<typeof preparedRoute> {
  const { executionId, typedData, legs, issues } = prepared
  return {
    executionId,
    typedData,
    deadline: formatTime(prepared.deadline),
    legs: legs.map(presentBoundLeg),
    totals: presentTotals(sumsOf(legs)),
    blockNumber: Number(prepared.blockNumber),
    submit: { to: contracts.financingRouter, functionName: 'executeRoute', abi: [...EXECUTE_ROUTE_ABI] },
    issues: issues.map(presentIssue),
  }
}

const EXECUTE_ROUTE_ABI = financingRouterAbi.filter(
  (entry) => entry.type === 'function' && entry.name === 'executeRoute',
)

function sumsOf(legs: readonly RouteLegMessage[]) {
  return {
    totalFace: sum(legs.map(({ faceAmount }) => faceAmount)),
    totalAdvance: sum(legs.map(({ minimumAdvanceAmount }) => minimumAdvanceAmount)),
  }
}

function tooManyPlans(maximum: number): CodedError {
  return new CodedError(
    'OPTIMIZER_BUSY',
    `${maximum} of your routes are being planned, which is the maximum. Wait for their answers, then try again.`,
    { facts: { maximum }, retryAfter: 2 },
  )
}
