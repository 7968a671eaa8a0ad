/**
 * Everything the router will check of a route, checked beforehand: at the pinned block, and for as long as the route may be
 * executed (specification, section 4: prepare-execution, step 3).
 */
import type { Address, Hex } from 'viem'
import type { LegView, LensClaim, LensQuote, LensVault, RouteView } from '../chain/lens-types.ts'
import { remainingFace } from '../domain/claim.ts'
import { DEADLINE_MARGIN_SECONDS } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal, VaultReason } from '../domain/reasons.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { CodedError, type ErrorCode } from '../errors.ts'
import type { RouteIntent } from '../intents/intent.ts'
import type { Leg } from '../optimizer/index.ts'
import { advanceOf } from '../optimizer/pricing.ts'
import { beneficiaryRefusal, claimRefusal } from './claim-refusal.ts'
import { bpsAt } from './pricing.ts'
import { mandateRefusal, quoteRefusal, registryRefusal } from './vault-refusal.ts'
import { latestOf, type Window } from './window.ts'

/** `minimumAdvanceAmount` is what the vault would pay at the pinned block, the least it will pay until the deadline. */
export type ValidLeg = Leg & { minimumAdvanceAmount: BaseUnits; latestAdvanceAmount: BaseUnits }

/**
 * @returns the legs with their fresh minimum advances, in the intent's order
 * @throws one of the nine re-validation codes (specification, section 7)
 */
export function revalidate(intent: RouteIntent, view: RouteView, window: Window): ValidLeg[] {
  if (view.paused)
    throw refused('ROUTER_PAUSED', 'The router is paused: nothing can be financed until it resumes.')
  const checked = intent.legs.map((leg, index) => {
    const seen = view.legs[index]
    if (!seen) throw new Error('the lens answered fewer legs than the route has')
    const valid = validLeg(intent.user, leg, seen, window)
    return { leg: valid, liquidity: seen.vault.readable ? seen.vault.fundableLiquidity : 0n }
  })
  refuseOverdrawnVault(checked)
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

function validLeg(user: Address, leg: Leg, { claim, vault, quote }: LegView, window: Window): ValidLeg {
  const ofClaim =
    beneficiaryRefusal(claim, user) ?? claimRefusal(claim, window.end) ?? faceRefusal(claim, leg)
  if (ofClaim) throw legRefused(CLAIM_CODES[ofClaim.reason], leg, ofClaim)
  const ofVault = vaultRefusal(claim, vault, quote, leg, window)
  if (ofVault) throw legRefused(VAULT_CODES[ofVault.reason], leg, ofVault)
  if (quote.status !== 'ANSWERED' || !vault.readable) throw new Error('a leg without a quote was not refused')
  return {
    ...leg,
    minimumAdvanceAmount: leg.faceAmount - quote.discountAmount,
    latestAdvanceAmount: advanceOf(leg.faceAmount, bpsAt(vault.pricing, claim, window.end)),
  }
}

function faceRefusal(claim: LensClaim, { faceAmount }: Leg): Refusal<'FACE_EXCEEDS_REMAINING'> | undefined {
  const remaining = remainingFace(claim)
  if (faceAmount <= remaining) return undefined
  return { reason: 'FACE_EXCEEDS_REMAINING', have: remaining, need: faceAmount }
}

function vaultRefusal(
  claim: LensClaim,
  vault: LensVault,
  quote: LensQuote,
  { faceAmount }: Leg,
  { start }: Window,
): Refusal<VaultReason> | undefined {
  if (!vault.readable) return { reason: 'QUOTE_REJECTED', have: 'the vault cannot be read' }
  return (
    registryRefusal(claim, vault) ??
    mandateRefusal(claim, vault, faceAmount, start) ??
    quoteRefusal(claim, vault, quote, faceAmount, start)
  )
}

/** Advances summed by vault, at the most that they can come to until the deadline. @throws `INSUFFICIENT_LIQUIDITY` */
function refuseOverdrawnVault(checked: readonly { leg: ValidLeg; liquidity: BaseUnits }[]): void {
  const drawn = new Map<Address, BaseUnits>()
  for (const { leg, liquidity } of checked) {
    const need = (drawn.get(leg.vault) ?? 0n) + leg.latestAdvanceAmount
    drawn.set(leg.vault, need)
    if (need <= liquidity) continue
    throw refused('INSUFFICIENT_LIQUIDITY', `Vault ${leg.vault} has too little at hand for the route.`, {
      vault: leg.vault,
      have: liquidity,
      need,
    })
  }
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
    throw refused('TARGET_NO_LONGER_MET', 'The route takes more face than it may.', {
      have: face,
      need: request.maxTotalFace,
    })
  }
}

const CLAIM_CODES = {
  ROUTER_PAUSED: 'ROUTER_PAUSED',
  CLAIM_NOT_FOUND: 'LEG_NOT_FINANCEABLE',
  NOT_BENEFICIARY: 'LEG_NOT_FINANCEABLE',
  CLAIM_NOT_FINANCEABLE: 'LEG_NOT_FINANCEABLE',
  CLAIM_PAST_DUE: 'LEG_NOT_FINANCEABLE',
  NO_SLICES_REMAINING: 'LEG_NOT_FINANCEABLE',
  NO_REMAINING_FACE: 'LEG_NOT_FINANCEABLE',
  FACE_EXCEEDS_REMAINING: 'LEG_NOT_FINANCEABLE',
  ISSUER_INACTIVE: 'ISSUER_INACTIVE',
  NO_ELIGIBLE_VAULT: 'LEG_NOT_FINANCEABLE',
} as const satisfies Record<ClaimReason | 'FACE_EXCEEDS_REMAINING', ErrorCode>

const VAULT_CODES = {
  TOKEN_MISMATCH: 'TOKEN_MISMATCH',
  VAULT_INACTIVE: 'VAULT_INACTIVE',
  TYPE_NOT_SUPPORTED: 'MANDATE_REJECTED',
  DURATION_EXCEEDED: 'MANDATE_REJECTED',
  BELOW_MINIMUM_LOT: 'MANDATE_REJECTED',
  ABOVE_MAXIMUM_LOT: 'MANDATE_REJECTED',
  NO_LIQUIDITY: 'INSUFFICIENT_LIQUIDITY',
  QUOTE_REJECTED: 'MANDATE_REJECTED',
} as const satisfies Record<VaultReason, ErrorCode>

function legRefused(
  code: ErrorCode,
  { claimId, vault }: Leg,
  { reason, have, need }: Refusal<string>,
): CodedError {
  const detail = `The leg of claim ${claimId} with vault ${vault} no longer holds: ${reason}.`
  return refused(code, detail, { claimId, vault, reason, have, need })
}

type Sides = {
  claimId?: Hex
  vault?: Address
  reason?: string
  have?: bigint | number | string | undefined
  need?: bigint | number | string | undefined
}

function refused(code: ErrorCode, detail: string, facts: Sides = {}): CodedError {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return new CodedError(code, `${detail} Optimize again.`, {
    facts: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  })
}

function sum(amounts: readonly BaseUnits[]): BaseUnits {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
