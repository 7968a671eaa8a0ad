/** Columns of a mandate and a pricing, as the events and the state of a vault have them. */

type Mandate = {
  readonly supportedTypesBitmap: bigint
  readonly minDurationDays: number
  readonly maxDurationDays: number
  readonly minFace: bigint
  readonly maxFace: bigint
  readonly maxClaimFace: bigint
  readonly maxIssuerFace: bigint
}
type Pricing = {
  readonly baseDiscountBps: number
  readonly durationBpsPerDay: number
  readonly premiumBps: readonly number[]
}

export function mandateOf(mandate: Mandate) {
  return {
    supportedTypesBitmap: mandate.supportedTypesBitmap,
    minDurationDays: mandate.minDurationDays,
    maxDurationDays: mandate.maxDurationDays,
    minFace: mandate.minFace,
    maxFace: mandate.maxFace,
    maxClaimFace: mandate.maxClaimFace,
    maxIssuerFace: mandate.maxIssuerFace,
  }
}

export function pricingOf(pricing: Pricing) {
  return {
    baseDiscountBps: pricing.baseDiscountBps,
    durationBpsPerDay: pricing.durationBpsPerDay,
    premiumBps: pricing.premiumBps,
  }
}
