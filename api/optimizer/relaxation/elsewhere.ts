import type { Option } from '../model/problem.ts'
import { REDUCED_COST_ERROR } from '../model/tolerances.ts'
import type { Shape, UnitReducedCost } from './shape.ts'

/** A place for one claim alone: its reduced cost there, and how many other legs it takes to keep the claim out. */
export type Place = { readonly vault: number; readonly reducedCost: number; readonly blockers: number }

/**
 * Per claim, its places from the cheapest on; ties in vault order. Places after a free one never matter. A vault
 * with a limit on its legs is no certain place: no other legs are needed to keep a claim out.
 */
export type Elsewhere = readonly (readonly Place[])[]

/** Comes before every shared vault. */
const FREE = -1

export function placesOf(shape: Shape, reducedCostOf: (option: Option) => number): Elsewhere {
  const places: Place[][] = shape.free.map((options) => {
    const reducedCost = Math.min(...options.map(reducedCostOf))
    return options.length === 0 ? [] : [{ vault: FREE, reducedCost, blockers: Number.POSITIVE_INFINITY }]
  })
  shape.vaults.forEach(({ members, legs }, vault) => {
    const isLimited = legs.most < shape.maxLegs
    for (const { option, blockers } of members)
      places[option.claim]?.push({
        vault,
        reducedCost: reducedCostOf(option),
        blockers: isLimited ? 0 : blockers,
      })
  })
  return places.map((list) =>
    firstPerVault(list.sort((a, b) => a.reducedCost - b.reducedCost || a.vault - b.vault)),
  )
}

function firstPerVault(places: readonly Place[]): Place[] {
  const seen = new Set<number>()
  return places.filter(({ vault }) => !seen.has(vault) && seen.add(vault))
}

/** Reduced cost of a claim alone: all of it when it pays, else as little as its lot allows. */
export function reducedCostAlone(option: Option, unitReducedCost: UnitReducedCost): number {
  const unit = unitReducedCost(option)
  return unit * (unit < 0 ? option.hiFloat : option.loFloat)
}

/**
 * The reduced cost at which a claim can certainly be served elsewhere, whatever `others` legs outside its vault do;
 * undefined when they could block every place that is cheaper than `marginal`, what the claim adds to its vault's
 * `reducedCost`. An earlier vault may cost as much; a later one has to be cheaper by more than an error, so that no two
 * moves lead in a circle.
 */
export function certainPlace(
  places: readonly Place[],
  vault: number,
  marginal: number,
  reducedCost: number,
  others: number,
): number | undefined {
  const clearly = marginal - REDUCED_COST_ERROR * (Math.abs(reducedCost) + Math.abs(marginal))
  let needed = 0
  for (const place of places) {
    if (place.reducedCost > marginal) return undefined
    if (place.vault === vault || (place.vault > vault && place.reducedCost >= clearly)) continue
    needed += place.blockers
    if (needed > others) return place.reducedCost
  }
  return undefined
}
