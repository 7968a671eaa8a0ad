import type { LensClaim, LensQuote, LensVault, ReadableVault } from '../chain/lens-types.ts'
import { smaller } from '../domain/bigint.ts'
import { remainingFace } from '../domain/claim.ts'
import { discountAmount } from '../domain/discount.ts'
import { supportedTypes } from '../domain/mandate.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Refusal, VaultReason } from '../domain/reasons.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { daysToDue } from '../domain/window.ts'
import { bpsAt } from './pricing.ts'

type VaultRefusal = Refusal<VaultReason>

/** A getter of the vault failed. */
export const UNREADABLE = {
  reason: 'QUOTE_REJECTED',
  have: 'the vault cannot be read',
} as const satisfies VaultRefusal

/** Computes the most of a claim that one leg of this vault can hold: min(mandate.maxFace, remaining face). */
export function largestFace(claim: LensClaim, { mandate }: ReadableVault): BaseUnits {
  return smaller(mandate.maxFace, remainingFace(claim))
}

/**
 * Returns the reason why a vault may not finance a claim at the time of the block that both were read at; undefined
 * when it may. The probe is its quote at `largestFace`.
 */
export function vaultRefusal(
  claim: LensClaim,
  vault: LensVault,
  probe: LensQuote,
  at: UnixSeconds,
): VaultRefusal | undefined {
  if (!vault.readable) return UNREADABLE
  const face = largestFace(claim, vault)
  return (
    termsRefusal(claim, vault, face, at) ??
    quoteRefusal(claim, vault, probe, face, at) ??
    priceRefusal(probe, face)
  )
}

/** A claim that costs all of its face advances nothing. */
export function priceRefusal(probe: LensQuote, face: BaseUnits): VaultRefusal | undefined {
  if (probe.status !== 'ANSWERED' || probe.discountAmount < face) return undefined
  return { reason: 'QUOTE_REJECTED', have: probe.discountAmount, need: face - 1n }
}

/** Returns the reason that excludes a leg of `face` before the vault's quote is read. */
export function termsRefusal(
  claim: LensClaim,
  vault: ReadableVault,
  face: BaseUnits,
  at: UnixSeconds,
): VaultRefusal | undefined {
  return registryRefusal(claim, vault) ?? mandateRefusal(claim, vault, face, at)
}

function registryRefusal(claim: LensClaim, vault: ReadableVault): VaultRefusal | undefined {
  if (vault.token !== claim.token) return { reason: 'TOKEN_MISMATCH', have: vault.token, need: claim.token }
  if (!vault.active) return { reason: 'VAULT_INACTIVE' }
  return undefined
}

/** Type, duration and lot bounds of the mandate, for a leg of `face`. */
function mandateRefusal(
  claim: LensClaim,
  { mandate }: ReadableVault,
  face: BaseUnits,
  at: UnixSeconds,
): VaultRefusal | undefined {
  const { supportedTypesBitmap, maxDurationDays, minFace, maxFace } = mandate
  if (((supportedTypesBitmap >> BigInt(claim.claimType)) & 1n) === 0n) {
    return {
      reason: 'TYPE_NOT_SUPPORTED',
      have: supportedTypes(supportedTypesBitmap).join(', '),
      need: claim.claimType,
    }
  }
  const days = daysToDue(claim.dueAt, at)
  if (days > BigInt(maxDurationDays))
    return { reason: 'DURATION_EXCEEDED', have: days, need: maxDurationDays }
  if (face < minFace) return { reason: 'BELOW_MINIMUM_LOT', have: face, need: minFace }
  if (face > maxFace) return { reason: 'ABOVE_MAXIMUM_LOT', have: face, need: maxFace }
  return undefined
}

/** A quote must be there, acceptable, and follow the pricing that the vault publishes: on that the plan builds. */
export function quoteRefusal(
  claim: LensClaim,
  vault: ReadableVault,
  quote: LensQuote,
  face: BaseUnits,
  at: UnixSeconds,
): VaultRefusal | undefined {
  if (quote.status !== 'ANSWERED') return { reason: 'QUOTE_REJECTED', have: quote.status }
  if (quote.reason !== 'NONE') return { reason: 'QUOTE_REJECTED', have: quote.reason }
  const published = discountAmount(face, bpsAt(vault.pricing, claim, at))
  if (quote.discountAmount !== published) {
    return { reason: 'QUOTE_REJECTED', have: quote.discountAmount, need: published }
  }
  return undefined
}
