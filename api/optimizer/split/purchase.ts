import { larger, sum } from '../../domain/bigint.ts'
import { type SplitBudget, takeSteps } from '../model/work-budget.ts'
import { blend, leastCostByBound } from './blend.ts'
import { buy, type Purchase } from './buy.ts'
import { fitsTable, purchaseByTable } from './cost-table.ts'
import { type Curve, reachOf } from './curve.ts'

const GIVE_UP_AFTER = 64n

/** `floor` is a lower bound even if the step budget ends. No cost above `ceiling` is searched. */
export type CostRange = { readonly floor: bigint; readonly ceiling: bigint }

export type Outcome = { readonly purchase: Purchase | undefined; readonly lowerBound: bigint }

/** Work budget of the search if a table can decide instead. Mostly its first purchase meets the bound. */
const STEPS_BEFORE_TABLE = 2_000

/**
 * Returns the cheapest purchase of `need`. A search decides. If rounding leaves the search undecided and there are few
 * costs, a table decides.
 */
export function cheapestPurchase(
  curves: readonly Curve[],
  need: bigint,
  range: CostRange,
  work: SplitBudget,
): Outcome {
  if (work.inconclusive || !fitsTable(curves, range.ceiling))
    return purchaseBySearch(curves, need, range, work)
  const part: SplitBudget = { steps: Math.min(work.steps, STEPS_BEFORE_TABLE), inconclusive: false }
  const given = part.steps
  const searched = purchaseBySearch(curves, need, range, part)
  takeSteps(work, given - part.steps)
  // If a curve that several legs share is inconclusive, every result derived from it is inconclusive too.
  if (work.inconclusive) return { purchase: searched.purchase, lowerBound: range.floor }
  if (!part.inconclusive) return searched
  const purchase = purchaseByTable(curves, need, range.ceiling, work)
  if (work.inconclusive) return { purchase, lowerBound: range.floor }
  return { purchase, lowerBound: purchase === undefined ? range.ceiling + 1n : sum(purchase.costs) }
}

/** Tries total costs upwards from the bound. Each one gives a purchase, is ruled out, or ends the proven range. */
export function purchaseBySearch(
  curves: readonly Curve[],
  need: bigint,
  range: CostRange,
  work: SplitBudget,
): Outcome {
  const { floor, ceiling } = range
  const costs = curves.map((curve) => curve.costLo)
  if (sum(curves.map((curve) => curve.at(curve.costLo))) >= need) return cheapest(costs, need, range, work)
  const reach = reachOf(curves)
  const mix = blend(curves, 'advance', need, work)
  if (mix === undefined || reach < need)
    return { purchase: undefined, lowerBound: work.inconclusive ? floor : ceiling + 1n }
  // Only all tops together reach the need, and no lower cost reaches the top of a curve.
  const tops = curves.map((curve) => curve.costHi)
  if (reach === need) return cheapest(tops, need, range, work)
  const byBound = leastCostByBound(mix, need)
  const atLeast = sum(costs)
  let lowerBound = work.inconclusive ? floor : atLeast
  for (let cost = larger(byBound, atLeast); cost <= ceiling; cost++) {
    if (!work.inconclusive) lowerBound = cost
    // Without steps, no higher cost is certain either.
    if (work.steps <= 0 && cost > byBound + GIVE_UP_AFTER) break
    const purchase = buy(mix, cost, need, work)
    if (purchase !== undefined && purchase.advance >= need) return { purchase, lowerBound }
  }
  return { purchase: undefined, lowerBound: work.inconclusive ? lowerBound : ceiling + 1n }
}

/** The outcome when these costs are the least that buy the need. */
function cheapest(
  costs: readonly bigint[],
  need: bigint,
  { floor, ceiling }: CostRange,
  work: SplitBudget,
): Outcome {
  const total = sum(costs)
  const purchase = total <= ceiling ? { advance: need, costs } : undefined
  return { purchase, lowerBound: work.inconclusive ? floor : total }
}
