import type { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Address } from 'viem'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import type { Manifest } from '../../../deployments/manifest.ts'
import { address } from '../../domain/address.ts'
import { sum } from '../../domain/bigint.ts'
import { advanceOf } from '../../domain/discount.ts'
import { type BaseUnits, formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { CodedError } from '../../errors.ts'
import { findObstacle, type Needs } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import { boundNetworks, clientNetworks } from '../../limits/client-address.ts'
import { createConcurrencyLimit, type Limit } from '../../limits/concurrency-limit.ts'
import { reachFinalBlock } from '../../limits/min-block.ts'
import type { Allocation, Certificate, Leg } from '../../optimizer/index.ts'
import type { FilteredClaim } from '../../routing/candidates.ts'
import type { RoutingDeps } from '../../routing/deps.ts'
import { type PlannedRoute, planRoute } from '../../routing/plan-route.ts'
import { prepareExecution } from '../../routing/prepare-execution.ts'
import type { PreparedRoute } from '../../routing/prepared-route.ts'
import type { RouteLegMessage } from '../../typed-data/execution-route.ts'
import { presentFinalizedThrough } from '../shared/answer.ts'
import { presentBoundLeg, presentIssue, presentLeg, presentTotals } from '../shared/prepared.ts'
import { presentRefusal } from '../shared/refusal.ts'
import { createRouter } from '../shared/router.ts'
import { presentPending } from '../shared/unfinalized.ts'
import { type FoundNames, findNames, type NameOf } from '../shared/vault-names.ts'
import { optimizeRoute, type preparedRoute, prepareRouteExecution } from './financing-routes.routes.ts'

/** Maximum number of concurrent plans per wallet. The maximum per client address is twice this. */
export const PLANS_PER_WALLET = 4

export function routes(deps: RoutingDeps) {
  const { acquire } = createConcurrencyLimit()
  const limitsOf = (c: Context<AppEnv>): Limit[] => [
    { key: `wallet ${requireSession(c).wallet}`, max: PLANS_PER_WALLET, refuse: tooManyPlans },
    ...boundNetworks(clientNetworks(c, deps.config.trustedProxies), {
      key: 'address',
      max: 2 * PLANS_PER_WALLET,
      refuse: tooManyPlans,
    }),
  ]
  return createRouter()
    .openapi(optimizeRoute, async (c) => {
      const { certificate: certify, ...body } = c.req.valid('json')
      const request = { ...body, user: requireSession(c).wallet }
      const release = acquire(limitsOf(c))
      const planned = await planRoute(
        deps,
        request,
        { certify },
        {
          log: c.get('log')(),
          signal: c.req.raw.signal,
          pinBlock: c.get('pinBlock'),
          openProgress: () => c.get('openSnapshot')('progress'),
        },
      ).finally(release)
      const names = await findNames(c, planned.token, vaultsOf(planned))
      const parts = { claims: request.claimIds, vaults: legVaultsOf(planned), routesOf: request.user }
      const pending = findPending(deps.head, planned.block.number, parts)
      const issues = findObstacle(deps.head, planned.block.number, { legs: plannedLegs(planned) })
      const pendingChanges = presentPending(pending)
      return c.json(
        { ...presentPlanned(planned, names), issues: issues.map(presentIssue), pendingChanges },
        200,
      )
    })
    .openapi(prepareRouteExecution, async (c) => {
      const { routeId } = c.req.valid('param')
      const idempotencyKey = c.req.valid('header')['idempotency-key']
      const { wallet: user, signedBy } = requireSession(c)
      const request = { user, signedBy, routeId, idempotencyKey }
      // A block that is not final yet must not cost the route.
      await reachFinalBlock(c)
      const prepared = await prepareExecution(deps, request, c.get('pinBlock'))
      const vaults = prepared.legs.map(({ vault }) => vault)
      const names = await findNames(c, address.parse(prepared.typedData.message.token), vaults)
      const claims = prepared.legs.map(({ claimId }) => claimId)
      const pending = findPending(deps.head, prepared.blockNumber, { claims, vaults, routesOf: user })
      const obstacles = findObstacle(deps.head, prepared.blockNumber, preparedNeeds(prepared))
      const all = { ...prepared, issues: [...prepared.issues, ...obstacles] }
      const pendingChanges = presentPending(pending)
      return c.json({ ...presentPrepared(all, deps.deployment, names), pendingChanges }, 200)
    })
}

/** Lists the vaults of the legs, and those that refused a claim. */
function vaultsOf(planned: PlannedRoute): Address[] {
  const refused = planned.filteredOut.flatMap(({ vaults = [] }) => vaults)
  return [...legVaultsOf(planned), ...refused.map(({ vault }) => vault)]
}

function legVaultsOf({ result }: PlannedRoute): Address[] {
  const legs = result.executable ? result.legs : (result.bestFeasiblePartial?.legs ?? [])
  return legs.map(({ vault }) => vault)
}

/** The legs of an executable route, with the face values of their claims. */
function plannedLegs({ result, claims }: PlannedRoute): NonNullable<Needs['legs']> {
  const faces = new Map(claims.map(({ claimId, faceValue }) => [claimId, faceValue]))
  const legs = result.executable ? result.legs : []
  return legs.map((leg) => ({ ...leg, faceValue: faces.get(leg.claimId) }))
}

/** A repeated request gets a route again that may have been executed or cancelled since. */
function preparedNeeds({ executionId, typedData, legs }: PreparedRoute): Needs {
  const { user, nonce } = typedData.message
  return {
    legs: legs.map((leg) => ({ ...leg, faceValue: undefined })),
    route: { executionId, user: address.parse(user), nonce: BigInt(String(nonce)) },
  }
}

/** The estimated advance of a leg. */
type AdvanceOf = (leg: Leg) => BaseUnits

/** As the optimizer computes it: by the rate of the leg's candidate. */
const advances =
  ({ candidates }: PlannedRoute): AdvanceOf =>
  ({ claimId, vault, faceAmount }) => {
    const candidate = candidates.find((one) => one.vault === vault && one.claimId === claimId)
    if (!candidate) throw new Error('a leg is none of the candidates')
    return advanceOf(faceAmount, candidate.rateBps)
  }

function presentPlanned(planned: PlannedRoute, { nameOf, token }: FoundNames) {
  const { intent, block, filteredOut, now } = planned
  return {
    routeId: intent?.routeId ?? null,
    status: intent?.status ?? null,
    expiresAt: intent?.expiresAt.toISOString() ?? null,
    now: new Date(now).toISOString(),
    tokenInfo: token,
    result: presentResult(planned, (allocation) => presentAllocation(allocation, advances(planned), nameOf)),
    filteredOut: filteredOut.map((claim) => presentFiltered(claim, nameOf)),
    blockNumber: Number(block.number),
    finalizedThrough: planned.finalizedThrough ? presentFinalizedThrough(planned.finalizedThrough) : null,
  }
}

function presentResult(planned: PlannedRoute, present: (allocation: Allocation) => PresentedAllocation) {
  const { result } = planned
  if (result.executable) {
    const { executable, approximation, explanation } = result
    const { strategy, provenGap, certificate } = explanation
    return {
      executable,
      approximation,
      explanation: {
        strategy,
        provenGap: formatMoney(provenGap),
        ...(certificate && { certificate: presentCertificate(planned, certificate) }),
      },
      ...present(result),
    }
  }
  const { executable, reason, bestFeasiblePartial } = result
  return {
    executable,
    reason,
    shortfallAdvance: formatMoney(result.shortfallAdvance),
    maxAchievableAdvance: formatMoney(result.maxAchievableAdvance),
    maxAchievableGap: formatMoney(result.maxAchievableGap),
    ...(bestFeasiblePartial && {
      bestFeasiblePartial: {
        ...present(bestFeasiblePartial),
        provenGap: formatMoney(bestFeasiblePartial.provenGap),
      },
    }),
  }
}

function presentCertificate({ candidates, vaultLiquidity }: PlannedRoute, { target, vaults }: Certificate) {
  return {
    multiplier: formatMoney(target),
    vaults: [...vaults].map(([vault, multiplier]) => ({
      vault,
      liquidity: formatMoney(vaultLiquidity.get(vault) ?? 0n),
      multiplier: formatMoney(multiplier),
    })),
    candidates: candidates.map(({ claimId, vault, rateBps, maxFace }) => ({
      claimId,
      vault,
      discountBps: Number(rateBps),
      maxFaceAmount: formatMoney(maxFace),
    })),
  }
}

type PresentedAllocation = ReturnType<typeof presentAllocation>

function presentAllocation({ legs, ...sums }: Allocation, advanceOfLeg: AdvanceOf, nameOf: NameOf) {
  return {
    legs: legs.map((leg) => presentLeg(leg, advanceOfLeg(leg), nameOf)),
    totals: presentTotals(sums),
  }
}

function presentFiltered({ claimId, vaults, ...refusal }: FilteredClaim, nameOf: NameOf) {
  return {
    claimId,
    ...presentRefusal(refusal),
    ...(vaults && {
      vaults: vaults.map(({ vault, ...why }) => ({
        vault,
        vaultName: nameOf(vault),
        ...presentRefusal(why),
      })),
    }),
  }
}

function presentPrepared(
  prepared: PreparedRoute,
  { contracts }: Manifest,
  { nameOf, token }: FoundNames,
): Omit<z.output<typeof preparedRoute>, 'pendingChanges'> {
  const { executionId, typedData, legs, issues } = prepared
  return {
    executionId,
    typedData,
    deadline: formatTime(prepared.deadline),
    tokenInfo: token,
    legs: legs.map((leg) => presentBoundLeg(leg, leg.minimumAdvanceAmount, nameOf)),
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
