import type { Option } from '../model/problem.ts'
import type { Price } from './patterns.ts'
import type { Shape } from './shape.ts'

/** A place for one claim alone: what it weighs there, and how many other legs it takes to keep the claim out. */
export type Place = { readonly vault: number; readonly weight: number; readonly blockers: number }

/**
 * Per claim, its places from the lightest on; ties in vault order. What comes after a free place never matters. A vault with a
 * limit on its legs is no certain place.
 */
export type Elsewhere = readonly (readonly Place[])[]

/** Comes before every shared vault. */
const FREE = -1

export function placesOf(shape: Shape, weigh: (option: Option) => number): Elsewhere {
  const places: Place[][] = shape.free.map((options) => {
    const weight = options.reduce((least, option) => Math.min(least, weigh(option)), Number.POSITIVE_INFINITY)
    return options.length === 0 ? [] : [{ vault: FREE, weight, blockers: Number.POSITIVE_INFINITY }]
  })
  shape.vaults.forEach(({ members, legs }, vault) => {
    if (legs.most < shape.maxLegs) return
    for (const { option, blockers } of members)
      places[option.claim]?.push({ vault, weight: weigh(option), blockers })
  })
  return places.map((list) => firstPerVault(list.sort((a, b) => a.weight - b.weight || a.vault - b.vault)))
}

function firstPerVault(places: readonly Place[]): Place[] {
  const seen = new Set<number>()
  return places.filter(({ vault }) => !seen.has(vault) && seen.add(vault))
}

/** What a claim alone weighs: all of it when it pays, else as little as its lot allows. */
export function aloneAt(option: Option, price: Price): number {
  const unit = price(option)
  return unit * (unit < 0 ? option.hiFloat : option.loFloat)
}

/** More than doubles are off by in the weight of a pattern, in proportion to it. */
const FLOAT_ERROR = 1e-11

/**
 * The weight at which a claim can certainly be served elsewhere, whatever `others` legs outside its vault do; undefined
 * when they could block every place that is lighter than `marginal`, what the claim adds to its vault's `weight`. An
 * earlier vault may be as light; a later one has to be lighter by more than an error, so that no two moves lead in a circle.
 */
export function certainPlace(
  places: readonly Place[],
  vault: number,
  marginal: number,
  weight: number,
  others: number,
): number | undefined {
  const clearly = marginal - FLOAT_ERROR * (Math.abs(weight) + Math.abs(marginal))
  let needed = 0
  for (const place of places) {
    if (place.weight > marginal) return undefined
    if (place.vault === vault || (place.vault > vault && place.weight >= clearly)) continue
    needed += place.blockers
    if (needed > others) return place.weight
  }
  return undefined
}
