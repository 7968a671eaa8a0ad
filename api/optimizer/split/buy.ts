import { smaller, suffixSums } from '../../domain/bigint.ts'
import { type SplitBudget, takeStep } from '../model/work-budget.ts'
import type { Blend } from './blend.ts'
import { costsAround, linearSurplus, surplus } from './tune.ts'

export type Purchase = { readonly advance: bigint; readonly costs: readonly bigint[] }

/** The most advance that total cost `budget` buys, or the first purchase found that buys at least `need`. */
export function buy(mix: Blend, budget: bigint, need: bigint, work: SplitBudget): Purchase | undefined {
  const { marginal, others } = mix
  const limit = (mix.offset + marginal.keep * budget) / marginal.rate
  const best = others.map((tuned) => tuned.best)
  let found = purchaseAt(mix, best, budget)
  const enough = (): boolean => found !== undefined && (found.advance >= need || found.advance >= limit)
  if (enough()) return found
  const floors = suffixSums(others.map((tuned) => tuned.curve.costLo))
  const bounds = suffixSums(others.map((tuned) => tuned.bound))
  const chosen: bigint[] = []
  const visit = (depth: number, spent: bigint, value: bigint): void => {
    const tuned = others[depth]
    if (tuned === undefined) {
      const candidate = purchaseAt(mix, chosen, budget)
      if (candidate !== undefined && candidate.advance > (found?.advance ?? -1n)) found = candidate
      return
    }
    const reserve = (floors[depth + 1] ?? 0n) + marginal.costLo
    const high = smaller(tuned.curve.costHi, budget - spent - reserve)
    const rest = value + (bounds[depth + 1] ?? 0n) + marginal.offset + marginal.keep * budget
    for (const cost of costsAround(tuned.curve, tuned.slope, tuned.start, high)) {
      if (enough()) return
      if (!takeStep(work)) {
        work.inconclusive = true
        return
      }
      const bar = ((found?.advance ?? -1n) + 1n) * marginal.rate
      if (rest + linearSurplus(tuned.curve, marginal, tuned.slope, cost) < bar) return
      const own = surplus(tuned.curve, marginal, cost)
      if (rest + own < bar) continue
      chosen[depth] = cost
      visit(depth + 1, spent + cost, value + own)
    }
  }
  visit(0, 0n, 0n)
  return found
}

/** The purchase at these costs, the marginal curve taking the remainder of the budget; undefined if it cannot. */
function purchaseAt(mix: Blend, otherCosts: readonly bigint[], budget: bigint): Purchase | undefined {
  const { marginal, others, curves } = mix
  const spent = otherCosts.reduce((sum, cost) => sum + cost, 0n)
  const remainder = budget - spent
  if (remainder < marginal.costLo) return undefined
  const marginalCost = smaller(remainder, marginal.costHi)
  const costs: bigint[] = new Array(curves.length).fill(marginalCost)
  let advance = marginal.at(marginalCost)
  others.forEach((tuned, position) => {
    const cost = otherCosts[position] ?? tuned.curve.costLo
    costs[tuned.index] = cost
    advance += tuned.curve.at(cost)
  })
  return { advance, costs }
}
