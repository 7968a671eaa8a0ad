import { smaller } from '../../domain/bigint.ts'
import type { Route } from './route.ts'
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

/** The routes that a search looks for: only those within the bounds are offered to `accept`. */
export type Goal = Bounds & {
  /** Whether each route offered must be the cheapest split of its legs, or any split within the bounds will do. */
  readonly cheapest: boolean
  /** The goal for the rest of the search, with bounds at least as tight as in `goal`; undefined ends the search. */
  accept(route: Route, goal: Goal): Goal | undefined
}

/** The quantity that a relaxation minimizes or bounds: the cost, or the advance alone. */
export type Objective = 'cost' | 'advance'

/** Larger than any cost of 256-bit amounts. */
export const UNBOUNDED = 1n << 300n

/** At the optimum face = advance + cost with the advance at least the target, so a face cap is a cost cap too. */
export function ceilingOf({ target, maxCost, maxFace }: Omit<Bounds, 'maxLegs'>): bigint | undefined {
  if (maxFace === undefined) return maxCost
  const byFace = maxFace - target
  return maxCost === undefined ? byFace : smaller(maxCost, byFace)
}

export function ceilingFloat(bounds: Bounds): number {
  const ceiling = ceilingOf(bounds)
  return ceiling === undefined ? Number.POSITIVE_INFINITY : Number(ceiling)
}
