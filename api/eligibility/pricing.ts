/** The vault's price of time and type, mirrored from contracts/PricingMath.sol (specification, section 2: Pricing). */
import type { LensClaim, Pricing } from '../chain/lens-types.ts'
import { ceilDiv, smaller } from '../domain/bigint.ts'
import { BPS_DENOMINATOR } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { daysToDue } from '../domain/window.ts'

/** Computes the discount of a claim at a time not after its due date, basis points; the same for any face. */
export function bpsAt(
  pricing: Pricing,
  { claimType, dueAt }: Pick<LensClaim, 'claimType' | 'dueAt'>,
  at: UnixSeconds,
): bigint {
  const premium = BigInt(pricing.premiumBps[claimType] ?? 0)
  const bps =
    BigInt(pricing.baseDiscountBps) + BigInt(pricing.durationBpsPerDay) * daysToDue(dueAt, at) + premium
  return smaller(bps, BPS_DENOMINATOR)
}

/** Computes the size-independent rate that a probe quote at `maxFace` reveals, rounded up: never below the true one. */
export function rateOf(discountAmount: BaseUnits, maxFace: BaseUnits): bigint {
  return ceilDiv(discountAmount * BPS_DENOMINATOR, maxFace)
}
