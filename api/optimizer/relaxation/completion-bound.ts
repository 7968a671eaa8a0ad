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
  /** Fills in, for every set of contending claims, the least that they and the others may add. */
  fill(completionBounds: Float64Array): void
}

/** A claim adds at least the reduced cost of its cheapest place alone, or 0 where it may stay out. */
export function limitAt(cutoff: number, shape: Shape, places: Elsewhere): CompletionLimit {
  const least = places.map(([cheapest], claim) => ({
    reducedCost: cheapest?.reducedCost ?? Number.POSITIVE_INFINITY,
    bit: shape.bits[claim] ?? -1,
    required: shape.required[claim] === true,
  }))
  const claims = least
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
  const fill = (completionBounds: Float64Array): void => {
    const own = new Float64Array(shape.width)
    completionBounds[0] = 0
    for (const { reducedCost, bit, required } of least) {
      const added = required ? reducedCost : Math.min(0, reducedCost)
      if (bit >= 0) own[bit] = added
      else completionBounds[0] += added
    }
    for (let set = 1; set < 1 << shape.width; set++) {
      const lowest = set & -set
      completionBounds[set] =
        (completionBounds[set ^ lowest] as number) + (own[31 - Math.clz32(lowest)] as number)
    }
  }
  return { cutoff, outside, fill }
}
