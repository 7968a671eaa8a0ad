import type { Option } from './problem.ts'

/** How many legs a vault has in the routes of a node, both inclusive. */
export type LegRange = { readonly least: number; readonly most: number }

/** By vault; a vault without an entry has any number of legs. */
export type LegRanges = ReadonlyMap<number, LegRange>

export const ANY_LEGS: LegRanges = new Map()

/** Whether legs keep to every range. */
export function keepsRanges(legs: LegRanges, chosen: readonly Option[]): boolean {
  for (const [vault, { least, most }] of legs) {
    const count = chosen.reduce((sum, option) => sum + Number(option.vault === vault), 0)
    if (count < least || count > most) return false
  }
  return true
}
