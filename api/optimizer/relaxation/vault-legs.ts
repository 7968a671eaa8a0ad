import { compare, smaller } from '../../domain/bigint.ts'
import { byVault, type Domain } from '../model/domain.ts'
import { capacityOf } from '../model/groups.ts'
import type { Option } from '../model/problem.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'

/** Sets of one vault that are looked at; beyond, its liquidity and largest lots are the bound. */
const MOST_SETS = 20_000

/**
 * No route of the domain advances more. Each vault is solved alone: what it advances at most in k legs within its
 * liquidity. The legs are then shared out among vaults in the best way.
 * Proof: only that a claim is used once is left out.
 */
export function mostByLegs(domain: Domain, maxLegs: number, budget: WorkBudget): bigint {
  let most = new Array<bigint>(maxLegs + 1).fill(0n)
  byVault(domain).forEach((options, vault) => {
    if (options.length === 0) return
    const curve = vaultCurve(options, capacityOf(domain.problem, vault, options), maxLegs, budget)
    most = most.map((_, legs) =>
      curve.reduce((best, own, count) => {
        const sum = count > legs ? 0n : own + (most[legs - count] ?? 0n)
        return sum > best ? sum : best
      }, 0n),
    )
  })
  return most[maxLegs] ?? 0n
}

/** Per number of legs, the most that at most that many lots advance within the liquidity. */
function vaultCurve(
  options: readonly Option[],
  liquidity: bigint,
  maxLegs: number,
  budget: WorkBudget,
): bigint[] {
  const lots = [...options].sort((a, b) => compare(b.hi, a.hi) || compare(a.lo, b.lo))
  const reach = lots.map((_, from) => sumsOf(lots.slice(from, from + maxLegs)))
  const curve = new Array<bigint>(maxLegs + 1).fill(0n)
  let sets = MOST_SETS
  /** Whether a larger advance is possible with lots from `from` on, added to a set. */
  const mayGrow = (from: number, legs: number, hi: bigint): boolean => {
    const sums = reach[from] ?? [0n]
    return curve.some((known, count) => {
      if (count < legs) return false
      return smaller(liquidity, hi + (sums[count - legs] ?? sums.at(-1) ?? 0n)) > known
    })
  }
  const visit = (from: number, legs: number, lo: bigint, hi: bigint): void => {
    sets--
    const advance = smaller(hi, liquidity)
    for (let count = legs; count <= maxLegs; count++)
      if (advance > (curve[count] ?? 0n)) curve[count] = advance
    for (let index = from; index < lots.length && legs < maxLegs && sets > 0; index++) {
      const lot = lots[index]
      if (lot === undefined || !mayGrow(index, legs, hi)) return
      const previous = index > from ? lots[index - 1] : undefined
      if (previous?.hi === lot.hi && previous.lo === lot.lo) continue
      if (lo + lot.lo <= liquidity) visit(index + 1, legs + 1, lo + lot.lo, hi + lot.hi)
    }
  }
  visit(0, 0, 0n, 0n)
  spend(budget, 'vaultLots', MOST_SETS - sets)
  if (sets > 0) return curve
  const largest = sumsOf(lots.slice(0, maxLegs))
  return curve.map((_, legs) => smaller(liquidity, largest[legs] ?? largest.at(-1) ?? 0n))
}

/** Sums of the first lots: of none, of one, and so on. */
function sumsOf(lots: readonly Option[]): bigint[] {
  const sums = [0n]
  for (const { hi } of lots) sums.push((sums.at(-1) ?? 0n) + hi)
  return sums
}
