/**
 * Everything the router will check of a route, checked beforehand: at the pinned block, and for as long as the route
 * may be executed (specification, section 4: prepare-execution, step 3).
 */
import type { Address } from 'viem'
import type { LegView, RouteView } from '../chain/lens-types.ts'
import { sum } from '../domain/bigint.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import { DEADLINE_MARGIN_SECONDS } from '../domain/limits.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { latestOf, type Window } from '../domain/window.ts'
import { exceededIssuer, judgeLeg, LEG_CODES, overdrawnVault, type ValidLeg } from '../eligibility/leg.ts'
import type { CodedError } from '../errors.ts'
import type { Leg } from '../optimizer/index.ts'
import type { RouteIntent } from '../store/route-intent-row.ts'

/**
 * @returns the legs with their fresh minimum advances, in the intent's order
 * @throws one of the nine re-validation codes (specification, section 7)
 */
export function revalidate(intent: RouteIntent, view: RouteView, window: Window): ValidLeg[] {
  if (view.paused) {
    const detail = 'The router is paused. No claim can be financed until it is unpaused.'
    throw refused('ROUTER_PAUSED', detail, { reason: 'ROUTER_PAUSED' })
  }
  const checked = intent.legs.map((leg, index) => {
    const seen = view.legs[index]
    if (!seen) throw new Error('the lens answered fewer legs than the route has')
    return { leg: validLeg(intent.user, leg, seen, window), claim: seen.claim, vault: seen.vault }
  })
  const exceeded = exceededIssuer(checked)
  if (exceeded) {
    const detail = `The route takes more face of the issuer of claim ${exceeded.claimId} than vault ${exceeded.vault} allows.`
    throw refused('MANDATE_REJECTED', detail, { ...exceeded, reason: 'ABOVE_MAXIMUM_ISSUER_FACE' })
  }
  const overdrawn = overdrawnVault(checked)
  if (overdrawn) {
    const detail = `Vault ${overdrawn.vault} has too little available liquidity for the route.`
    throw refused('INSUFFICIENT_LIQUIDITY', detail, { ...overdrawn, reason: 'NO_LIQUIDITY' })
  }
  const legs = checked.map(({ leg }) => leg)
  refuseMissedTarget(intent, legs)
  return legs
}

/** @throws `ROUTE_DEADLINE_TOO_SOON` */
export function refuseTooSoon(
  deadline: UnixSeconds,
  clockMs: number,
  block: { timestamp: UnixSeconds },
): void {
  const left = deadline - latestOf(clockMs, block)
  if (left > BigInt(DEADLINE_MARGIN_SECONDS)) return
  throw refused('ROUTE_DEADLINE_TOO_SOON', 'Too little time is left to sign and submit the route.', {
    have: left,
    need: BigInt(DEADLINE_MARGIN_SECONDS) + 1n,
  })
}

function validLeg(user: Address, leg: Leg, seen: LegView, window: Window): ValidLeg {
  const judged = judgeLeg(user, leg, seen, window)
  if ('valid' in judged) return judged.valid
  const { claimId, vault } = leg
  const { reason, have, need } = judged.refusal
  const detail = `The leg of claim ${claimId} with vault ${vault} is no longer valid: ${reason}.`
  throw refused(LEG_CODES[reason], detail, { claimId, vault, reason, have, need })
}

/** @throws `TARGET_NO_LONGER_MET` */
function refuseMissedTarget({ request }: RouteIntent, legs: readonly ValidLeg[]): void {
  const advance = sum(legs.map(({ minimumAdvanceAmount }) => minimumAdvanceAmount))
  if (advance < request.targetAdvance) {
    const sides = { have: advance, need: request.targetAdvance }
    throw refused('TARGET_NO_LONGER_MET', 'The route now advances less than its target.', sides)
  }
  const face = sum(legs.map(({ faceAmount }) => faceAmount))
  if (request.maxTotalFace !== undefined && face > request.maxTotalFace) {
    throw refused('TARGET_NO_LONGER_MET', 'The face of the route exceeds maxTotalFace.', {
      have: face,
      need: request.maxTotalFace,
    })
  }
}

function refused(...[code, detail, facts]: Parameters<typeof conditionFailed>): CodedError {
  return conditionFailed(code, `${detail} Optimize again.`, facts)
}
