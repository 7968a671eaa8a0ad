import type { Objective } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { limitAt } from './completion-bound.ts'
import { reducedCostAlone } from './elsewhere.ts'
import { fillTotals, type Least, type Losses, patternsOf, type ReducedCosts, rulesFor } from './patterns.ts'
import type { Shape, UnitReducedCost } from './shape.ts'
import { leastBySets } from './subsets.ts'
import type { Workspace } from './workspace.ts'

/**
 * The Lagrangian relaxation: only the target is dualized, at `multiplier` units of cost per unit of advance. Liquidity,
 * the leg limit and "one vault per claim" stay exact, because a table over subsets of claims settles them vault by
 * vault. For any multiplier >= 0, cost >= reducedCost + multiplier * target for every route that reaches the target.
 */
export type Relaxed = {
  readonly multiplier: number
  readonly reducedCost: number
  readonly chosen: readonly Option[]
  readonly advance: number
  readonly cost: number
  readonly reducedCosts: ReducedCosts
  readonly losses: Losses
}

/** Minimizes over the assignments that patterns make up. */
export type LeastOf = (shape: Shape, reducedCosts: ReducedCosts, space: Workspace) => Least

/** The assignment of least reduced cost; undefined when that is more than `cutoff`. */
export function relax(
  shape: Shape,
  multiplier: number,
  objective: Objective,
  space: Workspace,
  cutoff = Number.POSITIVE_INFINITY,
  leastOf: LeastOf = leastBySets,
): Relaxed | undefined {
  const unitReducedCost: UnitReducedCost =
    objective === 'cost' ? (option) => option.slope - multiplier : () => -1
  const rules = rulesFor(shape, unitReducedCost, space.budget)
  const free = shape.free.map((list) => cheapestFree(list, unitReducedCost))
  const limit = cutoff < Number.POSITIVE_INFINITY ? limitAt(cutoff, shape, rules.elsewhere) : undefined
  const exceedsCutoff = (mask: number, legs: number, reducedCost: number): boolean =>
    limit !== undefined && reducedCost + limit.outside(mask, legs) > cutoff
  const patterns = patternsOf(shape, { ...rules, exceedsCutoff })
  const reducedCosts: ReducedCosts = { patterns, free: free.map(({ reducedCost }) => reducedCost), limit }
  const least = leastOf(shape, reducedCosts, space)
  if (least.reducedCost === Number.POSITIVE_INFINITY || least.reducedCost > cutoff) return undefined
  return {
    multiplier,
    reducedCost: least.reducedCost,
    reducedCosts,
    losses: rules.losses,
    ...totals(shape, free, least, unitReducedCost),
  }
}

type FreeChoice = { readonly option: Option | undefined; readonly reducedCost: number }

function cheapestFree(options: readonly Option[], unitReducedCost: UnitReducedCost): FreeChoice {
  let best: FreeChoice = { option: undefined, reducedCost: Number.POSITIVE_INFINITY }
  for (const option of options) {
    const reducedCost = reducedCostAlone(option, unitReducedCost)
    if (reducedCost < best.reducedCost) best = { option, reducedCost }
  }
  return best
}

function totals(
  shape: Shape,
  free: readonly FreeChoice[],
  { traced, taken }: Least,
  unitReducedCost: UnitReducedCost,
): { chosen: Option[]; advance: number; cost: number } {
  const chosen: Option[] = []
  let advance = 0
  let cost = 0
  shape.vaults.forEach((vault, index) => {
    const pattern = traced[index]
    if (pattern === undefined) return
    const filled = fillTotals(vault, pattern.members, unitReducedCost)
    advance += filled.advance
    cost += filled.cost
    chosen.push(...pattern.members.map((member) => member.option))
  })
  free.forEach(({ option }, claim) => {
    if (option === undefined || (taken & (1 << claim)) === 0) return
    const amount = unitReducedCost(option) < 0 ? option.hiFloat : option.loFloat
    advance += amount
    cost += amount * option.slope
    chosen.push(option)
  })
  chosen.sort((a, b) => a.claim - b.claim)
  return { chosen, advance, cost }
}
