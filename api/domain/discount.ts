/** Discounts in whole base units; every rounding is named. Interface specification, section 2: Pricing. */
import { ceilDiv } from './bigint.ts'
import { BPS_DENOMINATOR } from './limits.ts'

/** Computes the discount of a face amount, rounded up, so that the advance rounds down. */
export function discountAmount(face: bigint, rateBps: bigint): bigint {
  return ceilDiv(face * rateBps, BPS_DENOMINATOR)
}

export function advanceOf(face: bigint, rateBps: bigint): bigint {
  return face - discountAmount(face, rateBps)
}

/** Computes the least face whose advance is at least `advance`; needs rateBps < 10000. */
export function faceForAdvance(advance: bigint, rateBps: bigint): bigint {
  return ceilDiv(advance * BPS_DENOMINATOR, BPS_DENOMINATOR - rateBps)
}

/** totalCost over totalFace in basis points, rounded up; 0 for an empty route. */
export function effectiveDiscountBps(totalCost: bigint, totalFace: bigint): bigint {
  return totalFace === 0n ? 0n : ceilDiv(totalCost * BPS_DENOMINATOR, totalFace)
}
