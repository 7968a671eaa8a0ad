import { smaller } from '../../domain/bigint.ts'
import { costOfAdvance, type Option, type Problem, proportionalCost } from '../model/problem.ts'
import { type Route, routeOf } from '../model/route.ts'
import { type SplitBudget, spend, unitsLeft, type WorkBudget } from '../model/work-budget.ts'
import { bundleByVault, spendPurchase } from './bundles.ts'
import { fillByRate, overrunVault, requiredAdvance } from './fill.ts'
import { type CostRange, cheapestPurchase } from './purchase.ts'

/**
 * The inner problem: the claims and their vaults are chosen, only the faces are open. At the optimum the advances sum
 * to exactly max(target, sum of least advances): one unit less advance never costs more, and any advance between a
 * leg's bounds can be hit. Cost and face then rise and fall together, so the cheapest split has the least face too.
 */
export type Split =
  | { readonly kind: 'route'; readonly route: Route; readonly lowerBound: bigint }
  /** Proven: every split of these legs costs more than the ceiling, or none reaches the target. */
  | { readonly kind: 'none' }
  /** The step budget ran out below the ceiling. */
  | { readonly kind: 'unknown'; readonly lowerBound: bigint }

/**
 * Enough for every split of the benchmark; one that needs more, or more than the budget has, is reported as unknown,
 * never guessed.
 */
const SPLIT_STEPS = 100_000

/** Steps of a fill by rate with its first bounds. */
const LEAST_STEPS = 16

/** The cheapest split that costs at most `ceiling`. */
export function cheapestSplit(
  problem: Problem,
  options: readonly Option[],
  target: bigint,
  ceiling: bigint,
  budget: WorkBudget,
): Split {
  spend(budget, 'splitStep', LEAST_STEPS)
  const total = requiredAdvance(options, target)
  const filled = fillByRate(problem, options, total)
  if (filled === undefined) return { kind: 'none' }
  const costs = (costOf: (option: Option, advance: bigint) => bigint): bigint =>
    options.reduce((sum, option, index) => sum + costOf(option, filled[index] ?? 0n), 0n)
  const rounded = costs(costOfAdvance)
  // Rounding up adds less than one unit per leg, so the linear relaxation, and with it every split, costs more than
  // this.
  const floor = costs(proportionalCost) - BigInt(options.length) + 1n
  if (floor > ceiling) return { kind: 'none' }
  if (floor >= rounded) return routeSplit(options, filled, rounded)
  const given = Math.min(SPLIT_STEPS, unitsLeft(budget, 'splitStep'))
  const work: SplitBudget = { steps: given, inconclusive: false }
  const range = { floor, ceiling: smaller(rounded, ceiling) }
  const split = splitCoupling(new Set(), { problem, options, total }, range, work)
  spend(budget, 'splitStep', given - work.steps)
  return split
}

/**
 * Some split within the ceiling: a first fill when that will do, else the cheapest. For questions of mere existence.
 */
export function anySplit(
  problem: Problem,
  options: readonly Option[],
  target: bigint,
  ceiling: bigint,
  budget: WorkBudget,
): Split {
  spend(budget, 'splitStep', LEAST_STEPS)
  const filled = fillByRate(problem, options, requiredAdvance(options, target))
  if (filled === undefined) return { kind: 'none' }
  const route = routeOf(options, filled)
  return route.cost <= ceiling
    ? { kind: 'route', route, lowerBound: route.cost }
    : cheapestSplit(problem, options, target, ceiling, budget)
}

function routeSplit(options: readonly Option[], advances: readonly bigint[], lowerBound: bigint): Split {
  return { kind: 'route', route: routeOf(options, advances), lowerBound }
}

/** The advances of these options sum to `total`. */
type InnerProblem = {
  readonly problem: Problem
  readonly options: readonly Option[]
  readonly total: bigint
}

/**
 * Vaults outside `coupled` are first treated as if they had liquidity for every leg. That only widens the choice, so a
 * result that happens to respect them is optimal; otherwise the overrun vault is coupled too and the split repeated.
 */
function splitCoupling(
  coupled: ReadonlySet<number>,
  inner: InnerProblem,
  range: CostRange,
  work: SplitBudget,
): Split {
  const { problem, options, total } = inner
  const bundles = bundleByVault(problem, options, coupled, work)
  const curves = bundles.map((bundle) => bundle.curve)
  const { purchase, lowerBound } = cheapestPurchase(curves, total, range, work)
  if (purchase === undefined)
    return lowerBound > range.ceiling ? { kind: 'none' } : { kind: 'unknown', lowerBound }
  const advances = spendPurchase(options, bundles, purchase, total)
  const overrun = overrunVault(problem, options, advances)
  if (overrun === undefined) return routeSplit(options, advances, lowerBound)
  return splitCoupling(new Set([...coupled, overrun]), inner, range, work)
}
