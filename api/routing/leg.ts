/**
 * Whether the router will take a leg: at the pinned block, and for as long as it may be executed (specification, section 4:
 * prepare-execution, step 3). A direct financing is one leg.
 */
import type { Address } from 'viem'
import type { LegView, LensClaim, LensQuote, LensVault } from '../chain/lens-types.ts'
import { remainingFace } from '../domain/claim.ts'
import { advanceOf } from '../domain/discount.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { ClaimReason, Refusal, VaultReason } from '../domain/reasons.ts'
import type { ErrorCode } from '../errors.ts'
import type { Leg } from '../optimizer/index.ts'
import { beneficiaryRefusal, claimRefusal } from './claim-refusal.ts'
import { bpsAt } from './pricing.ts'
import { mandateRefusal, quoteRefusal, registryRefusal } from './vault-refusal.ts'
import type { Window } from './window.ts'

/** `minimumAdvanceAmount` is what the vault would pay at the pinned block, the least it will pay until the deadline. */
export type ValidLeg = Leg & { minimumAdvanceAmount: BaseUnits; latestAdvanceAmount: BaseUnits }

export type LegReason = ClaimReason | VaultReason | 'FACE_EXCEEDS_REMAINING'

/** Liquidity is left to `overdrawnVault`, which sees all legs of a vault. */
export function judgeLeg(
  user: Address,
  leg: Leg,
  { claim, vault, quote }: LegView,
  window: Window,
): { valid: ValidLeg } | { refusal: Refusal<LegReason> } {
  const refusal =
    beneficiaryRefusal(claim, user) ??
    claimRefusal(claim, window.end) ??
    faceRefusal(claim, leg) ??
    vaultRefusal(claim, vault, quote, leg, window)
  if (refusal) return { refusal }
  if (quote.status !== 'ANSWERED' || !vault.readable) throw new Error('a leg without a quote was not refused')
  return {
    valid: {
      ...leg,
      minimumAdvanceAmount: leg.faceAmount - quote.discountAmount,
      latestAdvanceAmount: advanceOf(leg.faceAmount, bpsAt(vault.pricing, claim, window.end)),
    },
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

/** The first vault whose advances, at the most that they can come to until the deadline, are more than it has at hand. */
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

/** What each reason is called among the re-validation codes (specification, section 7). */
export const LEG_CODES = {
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
  TOKEN_MISMATCH: 'TOKEN_MISMATCH',
  VAULT_INACTIVE: 'VAULT_INACTIVE',
  TYPE_NOT_SUPPORTED: 'MANDATE_REJECTED',
  DURATION_EXCEEDED: 'MANDATE_REJECTED',
  BELOW_MINIMUM_LOT: 'MANDATE_REJECTED',
  ABOVE_MAXIMUM_LOT: 'MANDATE_REJECTED',
  NO_LIQUIDITY: 'INSUFFICIENT_LIQUIDITY',
  QUOTE_REJECTED: 'MANDATE_REJECTED',
} as const satisfies Record<LegReason, ErrorCode>
