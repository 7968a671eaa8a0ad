import type { Option, Problem } from '../model/problem.ts'
import { OVERRUN_ERROR } from '../model/tolerances.ts'
import { reachInVault } from './lot-problem.ts'

/** No such usage: a vault would be overrun. */
export const OVERRUN = -1

/**
 * What partial routes take from the vaults that several lots could overrun together; other vaults need no watching.
 * The same lots have the same usage, whichever claims take them; taking nothing is 0.
 */
export type UsageBook = {
  /** The usage of up to this many lots is a whole number that a double holds. */
  readonly mostLots: number
  add(usage: number, option: Option): number
  /** Whether the vaults have liquidity for all these usages at once. */
  fit(usages: readonly number[]): boolean
}

type WatchedLot = { readonly vault: number; readonly advance: bigint }

/** A usage is its lots as the digits of one number, in order; lots are numbered from 1 on, in vault order. */
export function openUsageBook(problem: Problem, maxLegs: number): UsageBook {
  const lots = watchedLots(problem, maxLegs)
  const base = lots.length + 1
  const liquidityOf = (vault: number): bigint => problem.liquidity[vault] ?? 0n
  const limits = lots.map(({ vault }) => Number(liquidityOf(vault)) * (1 + OVERRUN_ERROR))
  const advances = lots.map(({ advance }) => Number(advance))
  const numbers = new Map(lots.map(({ vault, advance }, index) => [nameOf(vault, advance), index + 1]))
  const lotOf = new Map(
    problem.options.flat().map((option) => [option, numbers.get(nameOf(option.vault, option.lo))]),
  )
  const insert = (usage: number, lot: number): number => {
    const last = usage % base
    return last <= lot ? usage * base + lot : insert((usage - last) / base, lot) * base + last
  }
  const isOverrun = (usage: number, lot: number): boolean => {
    const vault = lots[lot - 1]?.vault
    let taken = advances[lot - 1] ?? 0
    for (let rest = usage; rest > 0; rest = Math.floor(rest / base)) {
      const other = (rest % base) - 1
      if (lots[other]?.vault === vault) taken += advances[other] ?? 0
    }
    return taken > (limits[lot - 1] ?? 0)
  }
  return {
    mostLots: Math.floor(53 / Math.log2(base)),
    add(usage, option) {
      const lot = lotOf.get(option)
      if (lot === undefined) return usage
      return isOverrun(usage, lot) ? OVERRUN : insert(usage, lot)
    },
    fit(usages) {
      const taken = new Map<number, bigint>()
      for (const usage of usages) {
        for (let rest = usage; rest > 0; rest = Math.floor(rest / base)) {
          const { vault = -1, advance = 0n } = lots[(rest % base) - 1] ?? {}
          taken.set(vault, (taken.get(vault) ?? 0n) + advance)
        }
      }
      return [...taken].every(([vault, amount]) => amount <= liquidityOf(vault))
    },
  }
}

const nameOf = (vault: number, advance: bigint): string => `${vault}:${advance}`

/** The different lots in vaults that could be overrun, in vault order. */
function watchedLots(problem: Problem, maxLegs: number): WatchedLot[] {
  return problem.liquidity.flatMap((liquidity, vault) => {
    if (reachInVault(problem, vault, maxLegs) <= liquidity) return []
    const own = problem.options.flat().filter((option) => option.vault === vault)
    return [...new Set(own.map(({ lo }) => lo))].map((advance) => ({ vault, advance }))
  })
}
