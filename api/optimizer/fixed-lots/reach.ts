import { EXACT_SEARCH_MAX_CLAIMS } from '../model/exact-search.ts'
import type { Classes } from './classes.ts'
import type { Half } from './window.ts'

/** At index l, the most that partial routes of at most l legs advance; -Infinity when there is none. */
export type LegReach = readonly number[]

export function reachOfHalf({ first, second }: Half, maxLegs: number): LegReach {
  return joinReach(reachOfClasses(first, maxLegs), reachOfClasses(second, maxLegs))
}

export function reachOfClasses({ size, advance, legs }: Classes, maxLegs: number): LegReach {
  const reach = new Array<number>(maxLegs + 1).fill(Number.NEGATIVE_INFINITY)
  for (let row = 0; row < size; row++) {
    const count = legs[row] as number
    reach[count] = Math.max(reach[count] as number, advance[row] as number)
  }
  reach.forEach((most, count) => {
    reach[count] = Math.max(most, reach[count - 1] ?? most)
  })
  return reach
}

/** What partial routes put together from one of either reach. */
export function joinReach(a: LegReach, b: LegReach): LegReach {
  return a.map((_, legs) => Math.max(...a.slice(0, legs + 1).map((most, own) => most + (b[legs - own] ?? 0))))
}

/**
 * At index l, the least advance at which a partial route of l legs is of use, when `reach` is that of all the rest.
 *
 * Pruning rule: a partial route is passed over when it has too many legs, or falls short of `low` whatever the rest
 * adds in the legs that are left.
 * Proof: a route within the leg limit is a partial route and a rest, and `reach` bounds what any such rest advances.
 */
export function leastAdvances(low: number, maxLegs: number, reach: LegReach): readonly number[] {
  return Array.from({ length: EXACT_SEARCH_MAX_CLAIMS + 1 }, (_, legs) =>
    legs > maxLegs ? Number.POSITIVE_INFINITY : low - (reach[maxLegs - legs] ?? Number.NEGATIVE_INFINITY),
  )
}
