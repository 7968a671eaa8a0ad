/**
 * Whether the router will take a leg: at the pinned block, and for as long as it may be executed (specification,
 * section 4: prepare-execution, step 3). A direct financing is one leg.
 */
import type { Address, Hex } from 'viem'
import type { LegView, LensClaim, LensVault } from '../chain/lens-types.ts'
import { remainingFace } from '../domain/claim.ts'
import { advanceOf } from '../domain/discount.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal, VaultReason } from '../domain/reasons.ts'
import type { Window } from '../domain/window.ts'
import type { ErrorCode } from '../errors.ts'
import type { Leg } from '../optimizer/index.ts'
import { beneficiaryRefusal, claimRefusal } from './claim-refusal.ts'
import { bpsAt } from './pricing.ts'
import { owedFace, quoteRefusal, termsRefusal, UNREADABLE } from './vault-refusal.ts'

/** `minimumAdvanceAmount` is what the vault would pay at the pinned block, the least it will pay until the deadline. */
export type ValidLeg = Leg & { minimumAdvanceAmount: BaseUnits; latestAdvanceAmount: BaseUnits }

export type LegReason = ClaimReason | VaultReason | 'FACE_EXCEEDS_REMAINING'

/** `overdrawnVault` checks liquidity, over all legs of a vault. */
export function judgeLeg(
  user: Address,
  leg: Leg,
  view: LegView,
  window: Window,
): { valid: ValidLeg } | { refusal: Refusal<LegReason> } {
  const { claim } = view
  const refusal =
    beneficiaryRefusal(claim, user) ?? claimRefusal(claim, window) ?? faceRefusal(claim, leg.faceAmount)
  return refusal ? { refusal } : judgeVault(leg, view, window)
}

/** The vault's part of it, for a claim that can be financed and has the face. */
export function judgeVault(
  leg: Leg,
  { claim, vault, quote }: LegView,
  window: Window,
): { valid: ValidLeg } | { refusal: Refusal<VaultReason> } {
  if (!vault.readable) return { refusal: UNREADABLE }
  const { faceAmount } = leg
  const refusal =
    termsRefusal(claim, vault, faceAmount, window) ??
    quoteRefusal(claim, vault, quote, faceAmount, window.start)
  if (refusal) return { refusal }
  if (quote.status !== 'ANSWERED') throw new Error('a leg without a quote was not refused')
  return {
    valid: {
      ...leg,
      minimumAdvanceAmount: faceAmount - quote.discountAmount,
      latestAdvanceAmount: advanceOf(faceAmount, bpsAt(vault.pricing, claim, window.end)),
    },
  }
}

export function faceRefusal(
  claim: LensClaim,
  faceAmount: BaseUnits,
): Refusal<'FACE_EXCEEDS_REMAINING'> | undefined {
  const remaining = remainingFace(claim)
  if (faceAmount <= remaining) return undefined
  return { reason: 'FACE_EXCEEDS_REMAINING', have: remaining, need: faceAmount }
}

/** Finds the first vault whose largest possible advances until the deadline exceed its available liquidity. */
export function overdrawnVault(
  checked: readonly { leg: ValidLeg; vault: LensVault }[],
): { vault: Address; have: BaseUnits; need: BaseUnits } | undefined {
  const drawn = new Map<Address, BaseUnits>()
  for (const { leg, vault } of checked) {
    const have = vault.readable ? vault.fundableLiquidity : 0n
    const need = (drawn.get(leg.vault) ?? 0n) + leg.latestAdvanceAmount
    drawn.set(leg.vault, need)
    if (need > have) return { vault: leg.vault, have, need }
  }
  return undefined
}

/** Finds the first vault that would be owed more face by one issuer than its mandate allows. */
export function exceededIssuer(
  checked: readonly { leg: Leg; claim: LensClaim; vault: LensVault }[],
): { claimId: Hex; vault: Address; have: BaseUnits; need: BaseUnits } | undefined {
  const taken = new Map<string, BaseUnits>()
  for (const { leg, claim, vault } of checked) {
    if (!vault.readable) continue
    const key = `${vault.vault}${claim.issuer}`
    const have = (taken.get(key) ?? owedFace(claim, vault)) + leg.faceAmount
    taken.set(key, have)
    const need = vault.mandate.maxIssuerFace
    if (have > need) return { claimId: leg.claimId, vault: leg.vault, have, need }
  }
  return undefined
}

/** The code of each reason at re-validation (specification, section 7). */
export const LEG_CODES = {
  ROUTER_PAUSED: 'ROUTER_PAUSED',
  CLAIM_NOT_FOUND: 'LEG_NOT_FINANCEABLE',
  NOT_BENEFICIARY: 'LEG_NOT_FINANCEABLE',
  CLAIM_NOT_FINANCEABLE: 'LEG_NOT_FINANCEABLE',
  CLAIM_PAST_DUE: 'LEG_NOT_FINANCEABLE',
  DUE_WITHIN_DEADLINE: 'LEG_NOT_FINANCEABLE',
  NO_SLICES_REMAINING: 'LEG_NOT_FINANCEABLE',
  NO_REMAINING_FACE: 'LEG_NOT_FINANCEABLE',
  FACE_EXCEEDS_REMAINING: 'LEG_NOT_FINANCEABLE',
  ISSUER_INACTIVE: 'ISSUER_INACTIVE',
  NO_ELIGIBLE_VAULT: 'LEG_NOT_FINANCEABLE',
  TOKEN_MISMATCH: 'TOKEN_MISMATCH',
  VAULT_INACTIVE: 'VAULT_INACTIVE',
  TYPE_NOT_SUPPORTED: 'MANDATE_REJECTED',
  DURATION_BELOW_MINIMUM: 'MANDATE_REJECTED',
  DURATION_EXCEEDED: 'MANDATE_REJECTED',
  BELOW_MINIMUM_LOT: 'MANDATE_REJECTED',
  ABOVE_MAXIMUM_LOT: 'MANDATE_REJECTED',
  ABOVE_MAXIMUM_CLAIM_FACE: 'MANDATE_REJECTED',
  ABOVE_MAXIMUM_ISSUER_FACE: 'MANDATE_REJECTED',
  NO_LIQUIDITY: 'INSUFFICIENT_LIQUIDITY',
  QUOTE_REJECTED: 'MANDATE_REJECTED',
} as const satisfies Record<LegReason, ErrorCode>
