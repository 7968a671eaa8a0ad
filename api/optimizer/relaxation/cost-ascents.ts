import { larger, least } from '../../domain/bigint.ts'
import type { Domain } from '../model/domain.ts'
import type { Option } from '../model/problem.ts'
import type { WorkBudget } from '../model/work-budget.ts'
import { construct, type UnitValue } from './construct.ts'
import { leastCostAt } from './exact-multiplier-bound.ts'
import { type Aim, type Ascent, ascend, type Multipliers, noMultipliers } from './multipliers.ts'

/** A multiplier of the target above most rates: the leg limit or least lots may bind before liquidity does. */
const HIGH_MULTIPLIER = 0.05

/** An ascent of the cost aims to prove that each route to the target costs more than `level`. */
export type CostAim = Omit<Aim, 'objective'>

/**
 * Ascents of the cost from two starts, the better one first. One start alone may end on a ridge far below the best
 * multipliers: from a high multiplier where scarce liquidity is priced last, from the multipliers of a fill where the
 * legs of a vault are limited.
 */
export function costAscents(domain: Domain, aim: CostAim, budget: WorkBudget): [Ascent, Ascent] {
  const startingAt = (from: Multipliers): Ascent =>
    ascend(domain, { ...aim, objective: 'cost' }, from, budget)
  const byFill = startingAt(fillMultipliers(domain, Number(aim.target)))
  const byMultiplier = startingAt(noMultipliers(domain, HIGH_MULTIPLIER))
  return byMultiplier.value > byFill.value ? [byMultiplier, byFill] : [byFill, byMultiplier]
}

/** No route of the domain costs less. The multipliers are improved towards the level. */
export function leastCostTowards(domain: Domain, aim: CostAim, budget: WorkBudget): bigint {
  const [{ multipliers }] = costAscents(domain, aim, budget)
  const leastLot = least(domain.options.flat().map(({ costLo }) => costLo)) ?? 0n
  return larger(leastLot, leastCostAt(domain, aim, multipliers) ?? 0n)
}

/**
 * The multipliers of a fill in order of what a unit costs, without regard to the leg limit and least lots: that of the
 * target is what the last unit costs, and that of a vault that is used up what a unit there saves. Where only liquidity
 * binds, none are better.
 */
export function fillMultipliers(domain: Domain, target: number): Multipliers {
  const left = Float64Array.from(domain.problem.liquidityFloat)
  const highest = new Float64Array(left.length)
  const used = new Set<number>()
  let missing = target
  let multiplier = 0
  for (const { claim, vault, slope, hiFloat } of inOrderOfCost(domain)) {
    const advance = Math.min(hiFloat, left[vault] as number)
    if (missing <= 0) break
    if (advance === 0 || used.has(claim)) continue
    used.add(claim)
    missing -= advance
    left[vault] = (left[vault] as number) - advance
    multiplier = highest[vault] = slope
  }
  const saved = highest.map((slope, vault) => (left[vault] === 0 ? multiplier - slope : 0))
  return { ...noMultipliers(domain, multiplier), vaults: saved }
}

const inOrderOfCost = ({ options }: Domain): Option[] =>
  options.flat().sort((a, b) => a.slope - b.slope || b.hiFloat - a.hiFloat || a.claim - b.claim)

/** Assignments that may be routes: the best choices of ascents. */
export const choicesOf = (ascents: readonly Ascent[]): Option[][] =>
  ascents.map(({ best }) => best.chosen.map(({ option }) => option).sort((a, b) => a.claim - b.claim))

/** And those that are built for the advance alone, and for the multiplier of each ascent of the cost less the cost. */
export function builtFrom(
  domain: Domain,
  maxLegs: number,
  byCost: readonly Ascent[],
  budget: WorkBudget,
): Option[][] {
  const build = (unitValue: UnitValue) => construct(domain, maxLegs, unitValue, budget)
  return [
    build(() => 1),
    ...byCost.map(({ multipliers }) => build(({ slope }) => multipliers.target - slope)),
  ]
}
