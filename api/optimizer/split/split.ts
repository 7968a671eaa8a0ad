import { larger, smaller, sum } from '../../domain/bigint.ts'
import { type Bounds, ceilingOf, UNBOUNDED } from '../model/goal.ts'
import { largestFace, type Reach, reachWithin } from '../model/groups.ts'
import { costOfAdvance, type Option, type Problem, proportionalCost } from '../model/problem.ts'
import { type Route, routeOf } from '../model/route.ts'
import { type SplitBudget, spend, unitsLeft, type WorkBudget } from '../model/work-budget.ts'
import { bundleCoupled, spendPurchase } from './bundles.ts'
import { fillByRate, overrunGroup, overrunVault } from './fill.ts'
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

/** The bounds that a split keeps to. An absent cap does not bind. */
export type SplitBounds = Pick<Bounds, 'target' | 'maxCost' | 'maxFace'>

/** The cheapest split within the bounds. */
export function cheapestSplit(
  problem: Problem,
  options: readonly Option[],
  bounds: SplitBounds,
  budget: WorkBudget,
): Split {
  spend(budget, 'splitStep', LEAST_STEPS)
  const { total, ceiling } = neededOf(options, bounds)
  const fills = fillsOf(problem, options, total)
  if (fills === undefined) return { kind: 'none' }
  const { relaxed, filled } = fills
  const rounded =
    filled === undefined ? sum(options.map(({ costHi }) => costHi)) : costOf(options, filled, costOfAdvance)
  // Rounding up adds less than one unit per leg, so the linear relaxation, and with it every split, costs more than
  // this.
  const floor = costOf(options, relaxed, proportionalCost) - BigInt(options.length) + 1n
  if (floor > ceiling) return { kind: 'none' }
  if (filled !== undefined && floor >= rounded) return routeSplit(options, filled, rounded)
  const given = Math.min(SPLIT_STEPS, unitsLeft(budget, 'splitStep'))
  const work: SplitBudget = { steps: given, inconclusive: false }
  const range = { floor, ceiling: smaller(rounded, ceiling) }
  const split = splitCoupling(problem, options, total, range, work)
  spend(budget, 'splitStep', given - work.steps)
  return split
}

/** Some split within the bounds: a first fill when that will do, else the cheapest. For mere existence. */
export function anySplit(
  problem: Problem,
  options: readonly Option[],
  bounds: SplitBounds,
  budget: WorkBudget,
): Split {
  spend(budget, 'splitStep', LEAST_STEPS)
  const { total, ceiling } = neededOf(options, bounds)
  const fills = fillsOf(problem, options, total)
  if (fills === undefined) return { kind: 'none' }
  const route = fills.filled && routeOf(options, fills.filled)
  return route !== undefined && route.cost <= ceiling
    ? { kind: 'route', route, lowerBound: route.cost }
    : cheapestSplit(problem, options, bounds, budget)
}

/** The sum of the advances, and the highest cost within the caps at that sum. */
function neededOf(options: readonly Option[], { target, ...caps }: SplitBounds) {
  const total = larger(sum(options.map(({ lo }) => lo)), target)
  return { total, ceiling: ceilingOf({ ...caps, target: total }) ?? UNBOUNDED }
}

/** A fill of the linear relaxation, and one that keeps to the limits of groups after rounding too. */
type Fills = { readonly relaxed: readonly bigint[]; readonly filled: readonly bigint[] | undefined }

/** Undefined when the legs cannot reach `total`. */
function fillsOf(problem: Problem, options: readonly Option[], total: bigint): Fills | undefined {
  const reaches = reachesOf(problem, options)
  if (reaches === undefined) return undefined
  const fillTo = (end: keyof Reach) =>
    fillByRate(problem, options, total, new Map([...reaches].map(([group, reach]) => [group, reach[end]])))
  const relaxed = fillTo('most')
  if (relaxed === undefined || reaches.size === 0) return relaxed && { relaxed, filled: relaxed }
  return { relaxed, filled: fillTo('least') }
}

/** The reach of each group whose limit these legs could exceed; undefined where their least faces do. */
function reachesOf(problem: Problem, options: readonly Option[]): ReadonlyMap<number, Reach> | undefined {
  const reaches = new Map<number, Reach>()
  for (const [group, { maxFace }] of problem.groups.entries()) {
    const legs = options.filter((option) => option.group === group)
    if (sum(legs.map(largestFace)) <= maxFace) continue
    const reach = reachWithin(legs, maxFace)
    if (reach === undefined) return undefined
    reaches.set(group, reach)
  }
  return reaches
}

const costOf = (
  options: readonly Option[],
  advances: readonly bigint[],
  costOfLeg: (option: Option, advance: bigint) => bigint,
): bigint => sum(options.map((option, index) => costOfLeg(option, advances[index] ?? 0n)))

function routeSplit(options: readonly Option[], advances: readonly bigint[], lowerBound: bigint): Split {
  return { kind: 'route', route: routeOf(options, advances), lowerBound }
}

/**
 * Splits `total` among the legs. Vaults and groups that are not coupled are treated as if they had room for every leg.
 * That only widens the choice, so a result that happens to respect them is optimal; otherwise the overrun one is
 * coupled too and the split repeated.
 */
function splitCoupling(
  problem: Problem,
  options: readonly Option[],
  total: bigint,
  range: CostRange,
  work: SplitBudget,
): Split {
  const coupled = { vaults: new Set<number>(), groups: new Set<number>() }
  for (;;) {
    const bundles = bundleCoupled(problem, options, coupled, work)
    const curves = bundles.map((bundle) => bundle.curve)
    const { purchase, lowerBound } = cheapestPurchase(curves, total, range, work)
    if (purchase === undefined)
      return lowerBound > range.ceiling ? { kind: 'none' } : { kind: 'unknown', lowerBound }
    const advances = spendPurchase(options, bundles, purchase, total)
    const group = overrunGroup(problem, options, advances)
    const vault = overrunVault(problem, options, advances)
    if (group !== undefined) coupled.groups.add(group)
    else if (vault !== undefined) coupled.vaults.add(vault)
    else return routeSplit(options, advances, lowerBound)
  }
}
