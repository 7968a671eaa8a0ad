import { reachInVault } from './lots-problem.ts'
import type { Option, Problem } from './problem.ts'

/** No such usage: a vault would be overrun. */
export const OVERRUN = -1

/**
 * What partial routes take from the vaults that several lots could overrun together; other vaults need no watching.
 * The same lots have the same number, whichever claims take them; taking nothing is 0.
 */
export type UsageBook = {
  add(usage: number, option: Option): number
  /** Whether the vaults have liquidity for all these usages at once. */
  fit(usages: readonly number[]): boolean
}

/** A usage is a usage of smaller lots, its parent, and one more lot. Lots are numbered in vault order. */
type Usage = { readonly parent: number; readonly lot: number; readonly takenFromVault: bigint }
type Lot = { readonly vault: number; readonly advance: bigint }

export function openUsageBook(problem: Problem, maxLegs: number): UsageBook {
  const liquidityOf = (vault: number): bigint => problem.liquidity[vault] ?? 0n
  const lots = watchedLots(problem, maxLegs)
  const numbers = new Map(lots.map((lot, index) => [nameOf(lot.vault, lot.advance), index]))
  const usages: Usage[] = [{ parent: 0, lot: -1, takenFromVault: 0n }]
  const children = new Map<number, number>()

  const child = (parent: number, lot: number): number => {
    const key = parent * lots.length + lot
    const known = children.get(key)
    if (known !== undefined) return known
    const { vault = -1, advance = 0n } = lots[lot] ?? {}
    const before = usages[parent]
    const isSameVault = before !== undefined && lots[before.lot]?.vault === vault
    const takenFromVault = (isSameVault ? before.takenFromVault : 0n) + advance
    const number = takenFromVault > liquidityOf(vault) ? OVERRUN : usages.length
    if (number !== OVERRUN) usages.push({ parent, lot, takenFromVault })
    children.set(key, number)
    return number
  }
  const insert = (usage: number, lot: number): number => {
    const last = usages[usage]
    if (last === undefined || last.lot <= lot) return child(usage, lot)
    const rest = insert(last.parent, lot)
    return rest === OVERRUN ? OVERRUN : child(rest, last.lot)
  }
  const options = new Map(
    problem.options.flat().map((option) => [option, numbers.get(nameOf(option.vault, option.lo))]),
  )
  return {
    add(usage, option) {
      const lot = options.get(option)
      return lot === undefined ? usage : insert(usage, lot)
    },
    fit(parts) {
      const taken = new Map<number, bigint>()
      for (const part of parts) {
        for (let usage = usages[part]; usage !== undefined && usage.lot >= 0; usage = usages[usage.parent]) {
          const { vault = -1, advance = 0n } = lots[usage.lot] ?? {}
          taken.set(vault, (taken.get(vault) ?? 0n) + advance)
        }
      }
      return [...taken].every(([vault, amount]) => amount <= liquidityOf(vault))
    },
  }
}

const nameOf = (vault: number, advance: bigint): string => `${vault}:${advance}`

/** The different lots in vaults that could be overrun, in vault order. */
function watchedLots(problem: Problem, maxLegs: number): Lot[] {
  return problem.liquidity.flatMap((liquidity, vault) => {
    if (reachInVault(problem, vault, maxLegs) <= liquidity) return []
    const own = problem.options.flat().filter((option) => option.vault === vault)
    return [...new Set(own.map(({ lo }) => lo))].map((advance) => ({ vault, advance }))
  })
}
