import type { Option } from '../model/problem.ts'

/**
 * A Kelley cut: an assignment found by the relaxation, its advance and its linear cost. At a multiplier w its reduced
 * cost is cost - w * advance, so for every w the bound is at most cost + w * (target - advance). That line rises when
 * the assignment falls short of the target.
 */
export type Cut = { readonly chosen: readonly Option[]; readonly advance: number; readonly cost: number }

export type Intersection = {
  readonly multiplier: number
  readonly height: number
  readonly below: Cut
  readonly above: Cut
}

export const isBelow = (cut: Cut, target: number): boolean => cut.advance < target

/**
 * Where the lowest cuts from either side of the target intersect, at a multiplier of 0 or more. The first rising cut
 * above a falling one is that which it intersects at the highest multiplier; of those intersections, the one at the
 * lowest multiplier is on both envelopes.
 */
export function lowestIntersection(cuts: readonly Cut[], target: number): Intersection | undefined {
  let lowest: Intersection | undefined
  for (const above of cuts) {
    if (isBelow(above, target)) continue
    let last: Intersection | undefined
    for (const below of cuts) {
      if (!isBelow(below, target)) continue
      const multiplier = Math.max(0, (above.cost - below.cost) / (above.advance - below.advance))
      if (last !== undefined && multiplier <= last.multiplier) continue
      last = { multiplier, height: below.cost + multiplier * (target - below.advance), below, above }
    }
    if (last !== undefined && (lowest === undefined || last.multiplier < lowest.multiplier)) lowest = last
  }
  return lowest
}

const OVERSHOOT = 1.1

/** A little past the multiplier at which a cut reaches the ceiling: a bound that exceeds it does so beyond. */
export function pastCeiling(
  cut: Cut,
  target: number,
  ceiling: number,
  multiplier: number,
): number | undefined {
  const reached = (ceiling - cut.cost) / (target - cut.advance)
  const next = Math.max(0, multiplier + OVERSHOOT * (reached - multiplier))
  return Number.isFinite(next) && next !== multiplier ? next : undefined
}
