import { larger } from '../../domain/bigint.ts'
import type { Domain } from '../model/domain.ts'
import { ceilingOf, type Goal, UNBOUNDED } from '../model/goal.ts'
import { ANY_LEGS } from '../model/leg-ranges.ts'
import type { Option, Problem } from '../model/problem.ts'
import { allot } from '../model/work-budget.ts'
import type { Workspace } from '../relaxation/workspace.ts'
import { cheapestSplit } from '../split/split.ts'
import { countAssignments, visitAssignments } from './enumerate.ts'

/** Splitting more choices than this takes longer than going on with the search. */
const FEW_CHOICES = 64

/**
 * What the splits of one node may take: where lots are small numbers, rounding makes some of them harder than the rest
 * of the search.
 */
const SPLIT_STEPS = 400

/**
 * Pruning rule: a node is dropped when every choice of claims and rates costs more than the ceiling, were each vault's
 * liquidity enough for all.
 * Proof: to forget liquidity and numbers of legs, and to widen the lots of a claim at one rate to what any of its
 * vaults takes, only adds routes; a rate per claim is then all that an assignment is, and its cheapest split is exact.
 * Vaults with equal rates and lots need it: where the least cost is a unit above the relaxation, every way to spread
 * the same legs over them, thousands often, would have to be refuted by itself.
 */
export function exceedsCeilingAtAnyVault(
  problem: Problem,
  domain: Domain,
  goal: Goal,
  space: Workspace,
): boolean {
  const ceiling = ceilingOf(goal)
  const widest = { options: domain.options.map(widestPerRate), required: domain.required, legs: ANY_LEGS }
  if (ceiling === undefined || countAssignments(widest, FEW_CHOICES) > FEW_CHOICES) return false
  const boundless = { ...problem, liquidity: problem.liquidity.map(() => UNBOUNDED) }
  const bounds = { maxLegs: goal.maxLegs, target: () => goal.target, ceiling: () => ceiling }
  return allot(space.budget, 'splitStep', SPLIT_STEPS, (part) => {
    let exceeds = true
    visitAssignments(widest, bounds, (options) => {
      exceeds &&= cheapestSplit(boundless, options, goal.target, ceiling, part).kind === 'none'
    })
    return exceeds
  })
}

/** One option per rate, in place of all that share it: from the smallest least lot to the largest lot. */
function widestPerRate(options: readonly Option[]): Option[] {
  const widest = new Map<bigint, Option>()
  for (const option of options) {
    const known = widest.get(option.rate)
    widest.set(option.rate, known === undefined ? option : widened(known, option))
  }
  return [...widest.values()]
}

function widened(a: Option, b: Option): Option {
  const [from, other] = a.minFace <= b.minFace ? [a, b] : [b, a]
  const to = from.hi >= other.hi ? from : other
  return { ...from, hi: to.hi, hiFloat: to.hiFloat, costHi: larger(from.costHi, to.costHi) }
}
