import type { LensClaim, LensQuote, LensVault, ReadableVault } from '../chain/lens-types.ts'
import { larger, smaller, sum } from '../domain/bigint.ts'
import { remainingFace } from '../domain/claim.ts'
import { discountAmount } from '../domain/discount.ts'
import { supportedTypes } from '../domain/mandate.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Refusal, VaultReason } from '../domain/reasons.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { daysToDue, type Window } from '../domain/window.ts'
import { bpsAt } from './pricing.ts'

type VaultRefusal = Refusal<VaultReason>

/** A getter of the vault failed. */
export const UNREADABLE = {
  reason: 'QUOTE_REJECTED',
  have: 'the vault cannot be read',
} as const satisfies VaultRefusal

/**
 * Computes the most of a claim that one leg of this vault can hold, by `maxFace`, the remaining face, and the rests of
 * `maxClaimFace` and `maxIssuerFace`. Where a rest is below the smallest lot, that lot, so that the refusal names the
 * limit.
 */
export function largestFace(claim: LensClaim, vault: ReadableVault): BaseUnits {
  const { minFace, maxFace, maxClaimFace, maxIssuerFace } = vault.mandate
  const rest = smaller(maxClaimFace - heldFace(claim, vault), maxIssuerFace - owedFace(claim, vault))
  return smaller(smaller(maxFace, remainingFace(claim)), larger(rest, minFace))
}

/** Face that the issuer of a claim owes a vault. */
export const owedFace = ({ issuer }: LensClaim, { issuerFaces }: ReadableVault): BaseUnits =>
  issuerFaces.get(issuer) ?? 0n

/** Computes the face of a claim that a vault holds: none is repaid while the claim can be financed. */
function heldFace({ allocations }: LensClaim, { vault }: ReadableVault): BaseUnits {
  return sum(allocations.filter((part) => part.vault === vault).map(({ faceAmount }) => faceAmount))
}

/**
 * Returns the reason why a vault may not finance a claim throughout the window, which begins at the block that both
 * were read at; undefined when it may. The probe is its quote at `largestFace`.
 */
export function vaultRefusal(
  claim: LensClaim,
  vault: LensVault,
  probe: LensQuote,
  window: Window,
): VaultRefusal | undefined {
  if (!vault.readable) return UNREADABLE
  const face = largestFace(claim, vault)
  return (
    termsRefusal(claim, vault, face, window) ??
    quoteRefusal(claim, vault, probe, face, window.start) ??
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
  window: Window,
): VaultRefusal | undefined {
  return registryRefusal(claim, vault) ?? mandateRefusal(claim, vault, face, window)
}

function registryRefusal(claim: LensClaim, vault: ReadableVault): VaultRefusal | undefined {
  if (vault.token !== claim.token) return { reason: 'TOKEN_MISMATCH', have: vault.token, need: claim.token }
  if (!vault.active) return { reason: 'VAULT_INACTIVE' }
  return undefined
}

/** The rules of the mandate for a leg of `face`, in the order of contracts/VaultTerms.sol. */
function mandateRefusal(
  claim: LensClaim,
  vault: ReadableVault,
  face: BaseUnits,
  window: Window,
): VaultRefusal | undefined {
  const { supportedTypesBitmap, minFace, maxFace, maxClaimFace, maxIssuerFace } = vault.mandate
  if (((supportedTypesBitmap >> BigInt(claim.claimType)) & 1n) === 0n) {
    return {
      reason: 'TYPE_NOT_SUPPORTED',
      have: supportedTypes(supportedTypesBitmap).join(', '),
      need: claim.claimType,
    }
  }
  const duration = durationRefusal(claim, vault, window)
  if (duration) return duration
  if (face < minFace) return { reason: 'BELOW_MINIMUM_LOT', have: face, need: minFace }
  if (face > maxFace) return { reason: 'ABOVE_MAXIMUM_LOT', have: face, need: maxFace }
  const claimFace = heldFace(claim, vault) + face
  if (claimFace > maxClaimFace)
    return { reason: 'ABOVE_MAXIMUM_CLAIM_FACE', have: claimFace, need: maxClaimFace }
  const issuerFace = owedFace(claim, vault) + face
  if (issuerFace > maxIssuerFace)
    return { reason: 'ABOVE_MAXIMUM_ISSUER_FACE', have: issuerFace, need: maxIssuerFace }
  return undefined
}

/** Days to the due date only become fewer: the end of the window decides the minimum, its start the maximum. */
function durationRefusal(
  { dueAt }: LensClaim,
  { mandate: { minDurationDays, maxDurationDays } }: ReadableVault,
  { start, end }: Window,
): VaultRefusal | undefined {
  const [most, least] = [daysToDue(dueAt, start), daysToDue(dueAt, end)]
  if (least < BigInt(minDurationDays))
    return { reason: 'DURATION_BELOW_MINIMUM', have: least, need: minDurationDays }
  if (most > BigInt(maxDurationDays))
    return { reason: 'DURATION_EXCEEDED', have: most, need: maxDurationDays }
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
