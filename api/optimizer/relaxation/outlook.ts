import type { Shape } from './shape.ts'

/**
 * What is worth looking at: nothing heavier than `cutoff`. `least` holds what each claim adds at the least, wherever it goes:
 * its lightest place alone, or nothing where it may stay out.
 * Pruning rule: patterns and sets that, with the least that the claims outside may add, weigh more than the cutoff are
 * dropped, patterns with all their supersets.
 * Proof: by submodularity a claim adds to a pattern at least what it weighs alone, so an assignment weighs at least what a part
 * of it does and, for every other claim it may use, what that claim adds at the least.
 */
export type Limit = { readonly cutoff: number; readonly least: readonly number[] }

/** Every claim's lightest place, given per option. */
export function limitAt(cutoff: number, shape: Shape, alone: readonly number[]): Limit {
  return {
    cutoff,
    least: alone.map((weight, claim) => (shape.required[claim] === true ? weight : Math.min(0, weight))),
  }
}

/** The least that claims outside a set may add, in as many legs as are left. */
export function outside(shape: Shape, { least }: Limit): (set: number, legs: number) => number {
  const claims = least
    .map((weight, claim) => ({
      weight,
      bit: shape.bits[claim] ?? -1,
      required: shape.required[claim] === true,
    }))
    .filter(({ weight, required }) => weight < 0 || required)
    .sort((a, b) => Number(b.required) - Number(a.required) || a.weight - b.weight)
  return (set, legs) => {
    let sum = 0
    let left = legs
    for (const { weight, bit, required } of claims) {
      if (bit >= 0 && (set & (1 << bit)) !== 0) continue
      if (left-- <= 0) return required ? Number.POSITIVE_INFINITY : sum
      sum += weight
    }
    return sum
  }
}

/** Fills in, for every set of contending claims, the least that they and the others may add. */
export function fillOutlook(shape: Shape, { least }: Limit, outlook: Float64Array): void {
  const own = new Float64Array(shape.width)
  outlook[0] = 0
  least.forEach((weight, claim) => {
    const bit = shape.bits[claim] ?? -1
    if (bit >= 0) own[bit] = weight
    else outlook[0] = (outlook[0] as number) + weight
  })
  for (let set = 1; set < 1 << shape.width; set++) {
    const lowest = set & -set
    outlook[set] = (outlook[set ^ lowest] as number) + (own[31 - Math.clz32(lowest)] as number)
  }
}
