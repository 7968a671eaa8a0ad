/** Rules of terms, mirrored from contracts/VaultTerms.sol. */
import type { Mandate, Pricing } from '../chain/lens-types.ts'
import type { Terms } from '../chain/vault-terms.ts'
import { smaller } from '../domain/bigint.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import { BPS_DENOMINATOR } from '../domain/limits.ts'

/** @throws `TERMS_INVALID` */
export function refuseInvalidTerms({ mandate, pricing }: Terms): void {
  const { minFace, minDurationDays, maxDurationDays } = mandate
  const most = smaller(smaller(mandate.maxFace, mandate.maxClaimFace), mandate.maxIssuerFace)
  if (minFace > most) {
    const detail =
      'minFace is at most maxFace, maxClaimFace and maxIssuerFace, so that the vault can finance a lot.'
    throw conditionFailed('TERMS_INVALID', detail, { reason: 'MANDATE', have: minFace, need: most })
  }
  if (minDurationDays > maxDurationDays) {
    const detail = 'minDurationDays is at most maxDurationDays.'
    throw conditionFailed('TERMS_INVALID', detail, {
      reason: 'MANDATE',
      have: minDurationDays,
      need: maxDurationDays,
    })
  }
  const have = highestBps(mandate, pricing)
  if (have < BPS_DENOMINATOR) return
  const detail = `The discount at maxDurationDays and the highest premium is ${have} basis points. It must be below 10000.`
  throw conditionFailed('TERMS_INVALID', detail, { reason: 'PRICING', have, need: BPS_DENOMINATOR - 1n })
}

function highestBps({ maxDurationDays }: Mandate, pricing: Pricing): bigint {
  const { baseDiscountBps, durationBpsPerDay, premiumBps } = pricing
  const premium = Math.max(0, ...premiumBps)
  return BigInt(baseDiscountBps) + BigInt(durationBpsPerDay) * BigInt(maxDurationDays) + BigInt(premium)
}

/** Whether no limit is wider and no rate lower. Such terms take effect at once. */
export function isNowhereLooser(next: Terms, present: Terms): boolean {
  return isWithin(next.mandate, present.mandate) && isAtLeast(next.pricing, present.pricing)
}

function isWithin(next: Mandate, present: Mandate): boolean {
  return (
    (next.supportedTypesBitmap & ~present.supportedTypesBitmap) === 0n &&
    next.minDurationDays >= present.minDurationDays &&
    next.maxDurationDays <= present.maxDurationDays &&
    next.minFace >= present.minFace &&
    next.maxFace <= present.maxFace &&
    next.maxClaimFace <= present.maxClaimFace &&
    next.maxIssuerFace <= present.maxIssuerFace
  )
}

function isAtLeast(next: Pricing, present: Pricing): boolean {
  return (
    present.premiumBps.every((premium, type) => (next.premiumBps[type] ?? 0) >= premium) &&
    next.baseDiscountBps >= present.baseDiscountBps &&
    next.durationBpsPerDay >= present.durationBpsPerDay
  )
}
