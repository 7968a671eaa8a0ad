import type { Domain } from './domain.ts'
import type { Option } from './problem.ts'

/** How many legs a vault has in the routes of a node, both inclusive. */
export type LegRange = { readonly least: number; readonly most: number }

/** By vault; a vault without an entry has any number of legs. */
export type LegRanges = ReadonlyMap<number, LegRange>

export const ANY_LEGS: LegRanges = new Map()

/** The part of a domain in which a vault has from `least` to `most` legs. */
export function withLegs(domain: Domain, vault: number, { least, most }: LegRange): Domain {
  const known = domain.legs.get(vault)
  const range = { least: Math.max(least, known?.least ?? 0), most: Math.min(most, known?.most ?? most) }
  const legs = new Map(domain.legs).set(vault, range)
  if (range.most > 0) return { ...domain, legs }
  return { ...domain, legs, options: domain.options.map((list) => list.filter((one) => one.vault !== vault)) }
}

/** Whether legs keep to every range. */
export function keepsRanges(legs: LegRanges, chosen: readonly Option[]): boolean {
  for (const [vault, { least, most }] of legs) {
    const count = chosen.reduce((sum, option) => sum + Number(option.vault === vault), 0)
    if (count < least || count > most) return false
  }
  return true
}
