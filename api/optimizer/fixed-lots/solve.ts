import { ceilDiv, larger, smaller } from '../../domain/bigint.ts'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import type { Bounds } from '../model/bounds.ts'
import type { Problem } from '../model/problem.ts'
import { compareRoutes, type Route } from '../model/route.ts'
import type { Best, Most } from '../model/solution.ts'
import { isSpent, type WorkBudget } from '../model/work-budget.ts'
import { halvesOf } from './halves.ts'
import { baseAt, largestCost, lotProblemAt, type Price, pricesOf, reachOf } from './lot-problem.ts'
import { openUsageBook } from './usage.ts'
import { type LotGoal, type Parts, spacingOf, visitRoutes } from './visit.ts'

/**
 * The best-ranked route of a problem of fixed lots, by meeting in the middle; undefined when it is too large.
 *
 * The ceiling on the cost rises until a route is found within it. Every route within the ceiling is met, so the round
 * that finds one finds the best-ranked, and a round that finds none proves that every route costs more.
 */
export function bestByLots(problem: Problem, bounds: Bounds, budget: WorkBudget): Best | undefined {
  const [price, floor] = priceOfMost(problem, (one) => leastCost(problem, one, bounds.target))
  const cap = costCap(problem, bounds)
  let least = floor
  if (floor > cap || reachOf(problem, bounds.maxLegs) < bounds.target) return none(floor)
  const parts = partsAt(problem, price, bounds.maxLegs)
  if (parts === undefined) return undefined
  const first = spacingOf(parts, { ...bounds, maxCost: cap })
  for (let more = costOf(first, price); ; more = more * 4n + 8n) {
    const ceiling = smaller(floor + more, cap)
    const { best, complete } = bestWithin(parts, { ...bounds, maxCost: ceiling }, least, budget)
    if (best !== undefined && complete) return { best, proven: true, lowerBound: best.cost }
    if (best !== undefined) return fromBelow(parts, bounds, best, least, budget)
    if (complete) least = ceiling + 1n
    if (ceiling === cap) return { best, proven: complete, lowerBound: least }
    if (isSpent(budget)) return { best, proven: false, lowerBound: least }
  }
}

/**
 * Raises the bound towards the cost of a route out of a sample: the narrower the window, the fewer classes are of use,
 * at times few enough to visit every route.
 */
function fromBelow(parts: Parts, bounds: Bounds, sampled: Route, floor: bigint, budget: WorkBudget): Best {
  let route = sampled
  let least = floor
  for (let more = 0n; !isSpent(budget); ) {
    const ceiling = smaller(least + more, route.cost)
    const { best, complete } = bestWithin(parts, { ...bounds, maxCost: ceiling }, least, budget)
    if (best !== undefined && complete) return { best, proven: true, lowerBound: best.cost }
    if (best !== undefined && compareRoutes(best, route) < 0) route = best
    if (!complete && more === 0n) break
    if (complete) least = ceiling + 1n
    more = complete ? more * 2n + 1n : 0n
  }
  return { best: route, proven: false, lowerBound: least }
}

const none = (lowerBound: bigint): Best => ({ best: undefined, proven: true, lowerBound })

/**
 * The exact maximum of the advance under every bound but the target, with the best-ranked route that reaches it, in the
 * same way: the target falls until a route reaches it. Undefined when the problem is too large.
 */
export function mostByLots(problem: Problem, bounds: Bounds, budget: WorkBudget): Most | undefined {
  const [price, lowered] = priceOfMost(problem, (one) => -mostAdvance(problem, one, bounds))
  const parts = partsAt(problem, price, bounds.maxLegs)
  if (parts === undefined) return undefined
  let target = 1n - lowered
  const first = spacingOf(parts, { ...bounds, target, maxCost: costCap(problem, { ...bounds, target }) })
  for (let less = first; target > 1n && !isSpent(budget); less = less * 4n + 512n) {
    target = larger(1n, -lowered - less)
    const maxCost = costCap(problem, { ...bounds, target })
    const { best, complete } = furthestWithin(parts, { ...bounds, target, maxCost }, budget)
    if (best !== undefined || target === 1n) return mostOf(best, complete, -lowered)
  }
  return mostOf(undefined, target <= 1n, -lowered)
}

function mostOf(route: Route | undefined, isProven: boolean, bound: bigint): Most {
  const advance = route?.advance ?? 0n
  return { advance, atMost: isProven ? advance : bound, route, isBestRanked: isProven && route !== undefined }
}

/**
 * The price at which a score is highest, and that score. Any price will do; a good one leaves little excess to search.
 */
function priceOfMost(problem: Problem, score: (price: Price) => bigint): [Price, bigint] {
  const scored = pricesOf(problem).map((price): [Price, bigint] => [price, score(price)])
  const free: Price = { rate: 0n, keep: BPS_DENOMINATOR }
  return scored.reduce((best, one) => (one[1] > best[1] ? one : best), [free, score(free)])
}

/** keep * cost >= rate * advance + base, so no route to the target costs less. */
function leastCost(problem: Problem, price: Price, target: bigint): bigint {
  const { rate, keep } = price
  return ceilDiv(larger(0n, rate * target + baseAt(problem, price)), keep)
}

/** The same held against the caps: rate * advance <= keep * cost - base, where cost <= maxFace - advance. */
function mostAdvance(problem: Problem, price: Price, bounds: Bounds): bigint {
  const { rate, keep } = price
  const base = baseAt(problem, price)
  let most = reachOf(problem, bounds.maxLegs)
  if (bounds.maxCost !== undefined && rate > 0n) most = smaller(most, (keep * bounds.maxCost - base) / rate)
  if (bounds.maxFace !== undefined) most = smaller(most, (keep * bounds.maxFace - base) / (keep + rate))
  return most
}

/** No route to the target within the bounds costs more than this. */
function costCap(problem: Problem, { target, maxCost, maxFace }: Bounds): bigint {
  const most = largestCost(problem)
  const byFace = maxFace === undefined ? most : smaller(most, maxFace - target)
  return maxCost === undefined ? byFace : smaller(byFace, maxCost)
}

function partsAt(problem: Problem, price: Price, maxLegs: number): Parts | undefined {
  const lots = lotProblemAt(problem, price)
  const book = openUsageBook(problem, maxLegs)
  const halves = halvesOf(lots, book, maxLegs)
  return halves && { lots, book, halves }
}

const costOf = (advance: bigint, { rate, keep }: Price): bigint => (advance * rate) / keep

type Found = { readonly best: Route | undefined; readonly complete: boolean }

/** The best-ranked route within the bounds. No route costs less than `least`. */
function bestWithin(parts: Parts, bounds: LotGoal, least: bigint, budget: WorkBudget): Found {
  let best: Route | undefined
  const complete = visitRoutes(parts, bounds, budget, (route, goal) => {
    if (best !== undefined && compareRoutes(route, best) >= 0) return goal
    best = route
    // At the least cost there is, more legs can only rank lower.
    const maxLegs = route.cost === least ? route.options.length : goal.maxLegs
    return { ...goal, maxCost: route.cost, maxLegs }
  })
  return { best, complete }
}

/** The best-ranked of the routes within the bounds that advance most. */
function furthestWithin(parts: Parts, bounds: LotGoal, budget: WorkBudget): Found {
  let best: Route | undefined
  const complete = visitRoutes(parts, bounds, budget, (route, goal) => {
    if (best !== undefined && route.advance === best.advance && compareRoutes(route, best) >= 0) return goal
    best = route
    return { ...goal, target: route.advance }
  })
  return { best, complete }
}
