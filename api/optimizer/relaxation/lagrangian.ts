import type { Objective } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { type CompletionLimit, completionBoundOutside, limitAt } from './completion-bound.ts'
import { placesOf, reducedCostAlone } from './elsewhere.ts'
import { byUnitReducedCost, fillTotals, type Losses, noLosses, type Pattern, patternsOf } from './patterns.ts'
import type { FreeChoice, Least, ReducedCosts } from './reduced-costs.ts'
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
  const losses = noLosses()
  const free = shape.free.map((list) => cheapestFree(list, unitReducedCost))
  const limit = cutoff < Number.POSITIVE_INFINITY ? limitFor(shape, cutoff, unitReducedCost, free) : undefined
  const rules = {
    requiredMask: maskOfRequired(shape),
    elsewhere: placesOf(shape, (option) => reducedCostAlone(option, unitReducedCost)),
    slack: 0,
    losses,
    budget: space.budget,
    isFull: () => false,
    exceedsCutoff: limit === undefined ? () => false : cutoffTestFor(shape, limit),
  }
  const patterns = shape.vaults.map((vault, index) =>
    patternsOf(shape, index, { ...rules, reducedCostOf: byUnitReducedCost(vault, unitReducedCost) }),
  )
  const reducedCosts: ReducedCosts = { patterns, free, limit }
  const least = leastOf(shape, reducedCosts, space)
  if (least.reducedCost === Number.POSITIVE_INFINITY || least.reducedCost > cutoff) return undefined
  return {
    multiplier,
    reducedCost: least.reducedCost,
    reducedCosts,
    losses,
    ...totals(shape, reducedCosts, least.traced, least.taken, unitReducedCost),
  }
}

function limitFor(
  shape: Shape,
  cutoff: number,
  unitReducedCost: UnitReducedCost,
  free: readonly (FreeChoice | undefined)[],
): CompletionLimit {
  const alone = free.map((choice) => choice?.reducedCost ?? Number.POSITIVE_INFINITY)
  for (const { members } of shape.vaults)
    for (const { option } of members)
      alone[option.claim] = Math.min(alone[option.claim] as number, reducedCostAlone(option, unitReducedCost))
  return limitAt(cutoff, shape, alone)
}

function cutoffTestFor(
  shape: Shape,
  limit: CompletionLimit,
): (mask: number, legs: number, reducedCost: number) => boolean {
  const least = completionBoundOutside(shape, limit)
  return (mask, legs, reducedCost) => reducedCost + least(mask, legs) > limit.cutoff
}

export function maskOfRequired(shape: Shape): number {
  let mask = 0
  shape.required.forEach((required, claim) => {
    const bit = shape.bits[claim] ?? -1
    if (required && bit >= 0) mask |= 1 << bit
  })
  return mask
}

function cheapestFree(options: readonly Option[], unitReducedCost: UnitReducedCost): FreeChoice | undefined {
  let best: FreeChoice | undefined
  for (const option of options) {
    const reducedCost = reducedCostAlone(option, unitReducedCost)
    if (best === undefined || reducedCost < best.reducedCost) best = { option, reducedCost }
  }
  return best
}

function totals(
  shape: Shape,
  reducedCosts: ReducedCosts,
  traced: readonly (Pattern | undefined)[],
  taken: number,
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
  reducedCosts.free.forEach((choice, claim) => {
    if (choice === undefined || (taken & (1 << claim)) === 0) return
    const amount = unitReducedCost(choice.option) < 0 ? choice.option.hiFloat : choice.option.loFloat
    advance += amount
    cost += amount * choice.option.slope
    chosen.push(choice.option)
  })
  chosen.sort((a, b) => a.claim - b.claim)
  return { chosen, advance, cost }
}
