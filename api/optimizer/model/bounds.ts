import type { OptimizeInput } from './types.ts'

/** The limits of a route. An absent cap does not bind. */
export type Bounds = {
  readonly target: bigint
  readonly maxCost: bigint | undefined
  readonly maxFace: bigint | undefined
  readonly maxLegs: number
}

export function boundsOf(input: OptimizeInput, maxLegs: number): Bounds {
  return { target: input.targetAdvance, maxCost: input.maxTotalCost, maxFace: input.maxTotalFace, maxLegs }
}
