import { smaller } from '../../domain/bigint.ts'
import type { Bounds } from './bounds.ts'
import type { Route } from './route.ts'

/** The routes that a search looks for. Only these are offered to `accept`. */
export type Goal = {
  readonly target: bigint
  /** No route that costs more is of interest; undefined when any cost is allowed. */
  readonly ceiling: bigint | undefined
  readonly maxFace: bigint | undefined
  readonly maxLegs: number
  /** Whether each route offered must be the cheapest split of its legs, or any split within the bounds will do. */
  readonly cheapest: boolean
  /**
   * The goal for the rest of the search, with target and ceiling at least as tight as in `goal`; undefined ends the
   * search.
   */
  accept(route: Route, goal: Goal): Goal | undefined
}

/** The part of a goal that the bounds of a route determine. */
export const limitsOf = ({ target, maxCost, maxFace, maxLegs }: Bounds) => ({
  target,
  ceiling: maxCost,
  maxFace,
  maxLegs,
})

/** The quantity that a relaxation minimizes or bounds: the cost, or the advance alone. */
export type Objective = 'cost' | 'advance'

/** Larger than any cost of 256-bit amounts. */
export const UNBOUNDED = 1n << 300n

/** At the optimum face = advance + cost with the advance at least the target, so a face cap is a cost cap too. */
export function ceilingOf(goal: Goal): bigint | undefined {
  if (goal.maxFace === undefined) return goal.ceiling
  const byFace = goal.maxFace - goal.target
  return goal.ceiling === undefined ? byFace : smaller(goal.ceiling, byFace)
}

export function ceilingFloat(goal: Goal): number {
  const ceiling = ceilingOf(goal)
  return ceiling === undefined ? Number.POSITIVE_INFINITY : Number(ceiling)
}
