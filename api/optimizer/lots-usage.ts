import { reachInVault } from './lots-problem.ts'
import type { Option, Problem } from './problem.ts'

/** No such usage: a vault would be overrun. */
export const OVERRUN = -1

/**
 * What partial routes take from the vaults that several lots could overrun together; other vaults need no watching.
 * Equal usages have equal numbers; taking nothing is 0.
 */
export type UsageBook = {
  add(usage: number, option: Option): number
  /** Whether the vaults have liquidity for all these usages at once. */
  fit(usages: readonly number[]): boolean
}

type Usage = ReadonlyMap<number, bigint>

export function openUsageBook(problem: Problem, maxLegs: number): UsageBook {
  const watched = problem.liquidity.map(
    (liquidity, vault) => reachInVault(problem, vault, maxLegs) > liquidity,
  )
  const usages: Usage[] = [new Map()]
  const numbers = new Map<string, number>()
  const liquidityOf = (vault: number): bigint => problem.liquidity[vault] ?? 0n
  const add = (number: number, { vault, lo }: Option): number => {
    if (watched[vault] !== true) return number
    const before = usages[number]
    const taken = (before?.get(vault) ?? 0n) + lo
    if (taken > liquidityOf(vault)) return OVERRUN
    const entries = [...new Map(before).set(vault, taken)].sort(([a], [b]) => a - b)
    const usage: Usage = new Map(entries)
    const key = [...usage].join()
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, usages.length)
    return usages.push(usage) - 1
  }
  const fit = (parts: readonly number[]): boolean => {
    const taken = new Map<number, bigint>()
    for (const part of parts) {
      for (const [vault, amount] of usages[part] ?? []) taken.set(vault, (taken.get(vault) ?? 0n) + amount)
    }
    return [...taken].every(([vault, amount]) => amount <= liquidityOf(vault))
  }
  return { add, fit }
}
