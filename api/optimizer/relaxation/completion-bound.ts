import type { Elsewhere } from './elsewhere.ts'
import type { Shape } from './shape.ts'

/**
 * No assignment with a reduced cost above `cutoff` is of interest.
 * Pruning rule: patterns and sets that, with the least that the other claims may add, exceed the cutoff are dropped,
 * patterns with all their supersets.
 * Proof: by submodularity a claim adds to a pattern at least its reduced cost alone, so an assignment has at least the
 * reduced cost of a part of it and, for every other claim it may use, what that claim adds at the least.
 */
export type CompletionLimit = {
  readonly cutoff: number
  /** The least that claims outside a set may add, in as many legs as are left. */
  outside(set: number, legs: number): number
}

/** A claim adds at least the reduced cost of its cheapest place alone, or 0 where it may stay out. */
export function limitAt(cutoff: number, shape: Shape, places: Elsewhere): CompletionLimit {
  const claims = places
    .map(([cheapest], claim) => ({
      reducedCost: cheapest?.reducedCost ?? Number.POSITIVE_INFINITY,
      bit: shape.bits[claim] ?? -1,
      required: shape.required[claim] === true,
    }))
    .filter(({ reducedCost, required }) => reducedCost < 0 || required)
    .sort((a, b) => Number(b.required) - Number(a.required) || a.reducedCost - b.reducedCost)
  const outside = (set: number, legs: number): number => {
    let sum = 0
    let left = legs
    for (const { reducedCost, bit, required } of claims) {
      if (bit >= 0 && (set & (1 << bit)) !== 0) continue
      if (left-- <= 0) return required ? Number.POSITIVE_INFINITY : sum
      sum += reducedCost
    }
    return sum
  }
  return { cutoff, outside }
}
