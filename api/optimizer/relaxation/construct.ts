import type { Domain } from '../model/domain.ts'
import type { Option, Problem } from '../model/problem.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'

/** The value of a unit of advance through an option. */
export type UnitValue = (option: Option) => number

/**
 * Legs of great value found without a search: one after the other, each the one that adds most; the smallest lot among
 * equal ones, as larger ones are left for where they are needed. Liquidity and the leg limit are kept to, caps are not.
 */
export function construct(
  domain: Domain,
  maxLegs: number,
  unitValueOf: UnitValue,
  budget: WorkBudget,
): Option[] {
  const { problem } = domain
  const all = domain.options.flat()
  const served: Option[][] = problem.vaults.map(() => [])
  const values = problem.vaults.map(() => 0)
  const used = new Set<number>()
  while (used.size < maxLegs) {
    spend(budget, 'additionOption', all.length)
    let best: { option: Option; value: number; added: number } | undefined
    for (const option of all) {
      if (used.has(option.claim)) continue
      const legs = [...(served[option.vault] ?? []), option]
      const value = vaultValue(problem, unitValueOf, option.vault, legs)
      const added = value - (values[option.vault] as number)
      if (added <= 0 || added < (best?.added ?? 0)) continue
      if (best === undefined || added > best.added || option.hiFloat < best.option.hiFloat)
        best = { option, value, added }
    }
    if (best === undefined) break
    const { claim, vault } = best.option
    used.add(claim)
    served[vault]?.push(best.option)
    values[vault] = best.value
  }
  return served.flat().sort((a, b) => a.claim - b.claim)
}

/** The value of a vault's advance, the most valuable legs filled first; -Infinity where least lots overrun it. */
function vaultValue(
  problem: Problem,
  unitValueOf: UnitValue,
  vault: number,
  legs: readonly Option[],
): number {
  let left = problem.liquidityFloat[vault] as number
  let value = 0
  for (const option of legs) {
    left -= option.loFloat
    value += unitValueOf(option) * option.loFloat
  }
  if (left < 0) return Number.NEGATIVE_INFINITY
  const ordered =
    legs.length > 1 ? [...legs].sort((a, b) => unitValueOf(b) - unitValueOf(a) || a.claim - b.claim) : legs
  for (const option of ordered) {
    const more = Math.min(option.hiFloat - option.loFloat, left)
    if (unitValueOf(option) <= 0) break
    left -= more
    value += unitValueOf(option) * more
  }
  return value
}
