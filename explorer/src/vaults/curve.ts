/** Points of the discount that a vault asks, by the days until a claim is due. */

export type OfferedTerms = {
  address: string
  name: string
  mandate: { minDurationDays: number; maxDurationDays: number; supportedTypes: number[] }
  pricing: { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: number[] }
}

export type Point = { vault: string; name: string; days: number; bps: number }

/** Longer durations are not drawn. */
const DAYS_MAX = 365
const STEP_DAYS = 15

/** The points of one claim type; none if the vault finances no claim of the type that is due within a year. */
export function curveOf({ address, name, mandate, pricing }: OfferedTerms, type: number): Point[] {
  const { minDurationDays: first, maxDurationDays, supportedTypes } = mandate
  const last = Math.min(maxDurationDays, DAYS_MAX)
  if (!supportedTypes.includes(type) || first > last) return []
  const steps = Math.ceil((last - first) / STEP_DAYS)
  return Array.from({ length: steps + 1 }, (_, step) => {
    const days = Math.min(last, first + step * STEP_DAYS)
    const bps = pricing.baseDiscountBps + pricing.durationBpsPerDay * days + (pricing.premiumBps[type] ?? 0)
    return { vault: address, name, days, bps }
  })
}
