import type { Shape } from './shape.ts'

/**
 * No assignment with a reduced cost above `cutoff` is of interest. `least` bounds from below what each claim adds,
 * wherever it goes: its cheapest place alone, or 0 where it may stay out.
 * Pruning rule: patterns and sets that, with the least that the other claims may add, exceed the cutoff are dropped,
 * patterns with all their supersets.
 * Proof: by submodularity a claim adds to a pattern at least its reduced cost alone, so an assignment has at least the
 * reduced cost of a part of it and, for every other claim it may use, what that claim adds at the least.
 */
export type CompletionLimit = { readonly cutoff: number; readonly least: readonly number[] }

/** From the least reduced cost of each claim alone. */
export function limitAt(cutoff: number, shape: Shape, alone: readonly number[]): CompletionLimit {
  return {
    cutoff,
    least: alone.map((reducedCost, claim) =>
      shape.required[claim] === true ? reducedCost : Math.min(0, reducedCost),
    ),
  }
}

/** The least that claims outside a set may add, in as many legs as are left. */
export function completionBoundOutside(
  shape: Shape,
  { least }: CompletionLimit,
): (set: number, legs: number) => number {
  const claims = least
    .map((reducedCost, claim) => ({
      reducedCost,
      bit: shape.bits[claim] ?? -1,
      required: shape.required[claim] === true,
    }))
    .filter(({ reducedCost, required }) => reducedCost < 0 || required)
    .sort((a, b) => Number(b.required) - Number(a.required) || a.reducedCost - b.reducedCost)
  return (set, legs) => {
    let sum = 0
    let left = legs
    for (const { reducedCost, bit, required } of claims) {
      if (bit >= 0 && (set & (1 << bit)) !== 0) continue
      if (left-- <= 0) return required ? Number.POSITIVE_INFINITY : sum
      sum += reducedCost
    }
    return sum
  }
}

/** Fills in, for every set of contending claims, the least that they and the others may add. */
export function fillCompletionBounds(
  shape: Shape,
  { least }: CompletionLimit,
  completionBounds: Float64Array,
): void {
  const own = new Float64Array(shape.width)
  completionBounds[0] = 0
  least.forEach((reducedCost, claim) => {
    const bit = shape.bits[claim] ?? -1
    if (bit >= 0) own[bit] = reducedCost
    else completionBounds[0] = (completionBounds[0] as number) + reducedCost
  })
  for (let set = 1; set < 1 << shape.width; set++) {
    const lowest = set & -set
    completionBounds[set] =
      (completionBounds[set ^ lowest] as number) + (own[31 - Math.clz32(lowest)] as number)
  }
}
