type Mandate = { supportedTypesBitmap: bigint; maxDurationDays: number; minFace: bigint; maxFace: bigint }
type Pricing = { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: readonly number[] }

/** The columns of a vault that hold its mandate. */
export function mandateColumns({ supportedTypesBitmap, maxDurationDays, minFace, maxFace }: Mandate) {
  return { supportedTypesBitmap, maxDurationDays, minFace, maxFace }
}

/** The columns of a vault that hold its pricing. */
export function pricingColumns({ baseDiscountBps, durationBpsPerDay, premiumBps }: Pricing) {
  return { baseDiscountBps, durationBpsPerDay, premiumBps: [...premiumBps] }
}
