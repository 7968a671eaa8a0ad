import { ceilDiv, larger, smaller } from '../domain/discount.ts'
import { BPS_DENOMINATOR } from '../domain/limits.ts'
import type { Bounds } from './bounds.ts'
import { lotsOfClass, withExcessUpTo, withLeastExcess } from './lots-classes.ts'
import { type Halves, halvesOf } from './lots-halves.ts'
import { type Half, meet, type Window, type Work } from './lots-meet.ts'
import {
  baseAt,
  costOfDearest,
  hasFixedLotsOnly,
  type LotProblem,
  lotProblemAt,
  type Price,
  pricesOf,
  reachOf,
} from './lots-problem.ts'
import { openUsageBook, type UsageBook } from './lots-usage.ts'
import type { Most } from './most-advance.ts'
import type { Best } from './phases.ts'
import type { Problem } from './problem.ts'
import { compareRoutes, type Route, routeOf } from './route.ts'

/** Steps that one question may take: a step is a partial route passed, or two of them compared. */
export const LOT_STEPS = 120_000_000

/**
 * The best-ranked route of a problem of fixed lots, by meeting in the middle; undefined when it is none, or too large.
 *
 * The ceiling on the cost rises until a route is found within it. Every route within the ceiling is met, so the round
 * that finds one finds the best-ranked, and a round that finds none proves that every route costs more.
 */
export function bestByLots(problem: Problem, bounds: Bounds, steps = LOT_STEPS): Best | undefined {
  if (!hasFixedLotsOnly(problem)) return undefined
  const work: Work = { steps }
  const [price, floor] = priceOfMost(problem, (one) => leastCost(problem, one, bounds.target))
  const cap = costCap(problem, bounds)
  let least = floor
  if (floor > cap || reachOf(problem, bounds.maxLegs) < bounds.target) return none(floor)
  const parts = partsAt(problem, price, bounds.maxLegs)
  if (parts === undefined) return undefined
  for (let more = costOf(spacingOf(parts), price); ; more = more * 4n + 8n) {
    const ceiling = smaller(floor + more, cap)
    const { best, complete } = bestWithin(parts, { ...bounds, maxCost: ceiling }, least, work)
    if (best !== undefined) return { best, proven: complete, lowerBound: complete ? best.cost : least }
    if (complete) least = ceiling + 1n
    if (work.steps <= 0 || ceiling === cap) return { best, proven: complete, lowerBound: least }
  }
}

const none = (lowerBound: bigint): Best => ({ best: undefined, proven: true, lowerBound })

/**
 * The exact maximum of the advance under every bound but the target, in the same way: the target falls until a route
 * reaches it. Undefined when this is no problem of fixed lots, or too large.
 */
export function mostByLots(problem: Problem, bounds: Bounds, steps = LOT_STEPS): Most | undefined {
  if (!hasFixedLotsOnly(problem)) return undefined
  const work: Work = { steps }
  const [price, lowered] = priceOfMost(problem, (one) => -mostAdvance(problem, one, bounds))
  const parts = partsAt(problem, price, bounds.maxLegs)
  if (parts === undefined) return undefined
  let target = 1n - lowered
  for (let less = spacingOf(parts); target > 1n && work.steps > 0; less = less * 4n + 512n) {
    target = larger(1n, -lowered - less)
    const maxCost = costCap(problem, { ...bounds, target })
    const { advance, complete } = mostFrom(parts, { ...bounds, target, maxCost }, work)
    if (advance > 0n) return { advance, proven: complete }
    if (target === 1n) return { advance, proven: complete }
  }
  return { advance: 0n, proven: target <= 1n }
}

/** The price at which a score is highest, and that score. Any price will do; a good one leaves little excess to search. */
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
  const dearest = costOfDearest(problem)
  const byFace = maxFace === undefined ? dearest : smaller(dearest, maxFace - target)
  return maxCost === undefined ? byFace : smaller(byFace, maxCost)
}

type Parts = { readonly lots: LotProblem; readonly book: UsageBook; readonly halves: Halves }

function partsAt(problem: Problem, price: Price, maxLegs: number): Parts | undefined {
  const lots = lotProblemAt(problem, price)
  const book = openUsageBook(problem, maxLegs)
  const halves = halvesOf(lots, book, maxLegs)
  return halves && { lots, book, halves }
}

/**
 * Were all routes spread evenly, this much advance would hold a million of them. That many are not met: the first of them
 * tighten the window by as much.
 */
function spacingOf({ lots, halves }: Parts): bigint {
  const sizes = [halves.left, halves.right].map(({ first, second }) => first.size * second.size)
  const routes = sizes.reduce((product, size) => product * size, 1)
  return BigInt(Math.ceil((lots.mostAdvance / routes) * 2 ** 20)) * lots.scale
}

const costOf = (advance: bigint, { rate, keep }: Price): bigint => (advance * rate) / keep

type Found = { readonly best: Route | undefined; readonly complete: boolean }

/** The best-ranked route within the bounds. No route costs less than `least`. */
function bestWithin(parts: Parts, bounds: Goal, least: bigint, work: Work): Found {
  let best: Route | undefined
  const goal = { ...bounds }
  const complete = visitRoutes(parts, goal, work, (route) => {
    if (best !== undefined && compareRoutes(route, best) >= 0) return
    best = route
    goal.maxCost = route.cost
    // At the least cost there is, more legs can only rank lower.
    if (route.cost === least) goal.maxLegs = route.options.length
  })
  return { best, complete }
}

function mostFrom(parts: Parts, bounds: Goal, work: Work): { advance: bigint; complete: boolean } {
  let advance = 0n
  const goal = { ...bounds }
  const complete = visitRoutes(parts, goal, work, (route) => {
    advance = route.advance
    goal.target = advance + 1n
  })
  return { advance, complete }
}

type Goal = { target: bigint; maxCost: bigint; maxFace: bigint | undefined; maxLegs: number }

/** Offers every route within the goal, which may be tightened meanwhile; false when the work ran out. */
function visitRoutes(parts: Parts, goal: Goal, work: Work, accept: (route: Route) => void): boolean {
  const { lots, book } = parts
  const origin = ceilDiv(goal.target, lots.scale)
  const window = windowOf(lots, goal, origin)
  const left = within(parts.halves.left, window.slack)
  const right = within(parts.halves.right, window.slack)
  const lists = [left.first, left.second, right.first, right.second]
  const visit = (...numbers: readonly number[]): void => {
    work.steps -= STEPS_PER_ROUTE
    if (!book.fit(lists.map((list, index) => list.usage[numbers[index] ?? 0] ?? 0))) return
    const options = lists.flatMap((list, index) => lotsOfClass(list, numbers[index] ?? 0))
    options.sort((a, b) => a.claim - b.claim)
    const advances = options.map((option) => option.lo)
    const route = routeOf(options, advances)
    if (!isWithin(route, goal)) return
    accept(route)
    Object.assign(window, windowOf(lots, goal, origin))
  }
  return meet(left, right, window, visit, work) && left.isWhole && right.isWhole
}

/** What is left of a half once its classes are held against the slack, and cut down to what can be gone through at all. */
function within({ first, second }: Half, slack: number): Half & { isWhole: boolean } {
  const [outer, inner] = [withExcessUpTo(first, slack), withExcessUpTo(second, slack)]
  const isWhole = outer.size * inner.size <= MOST_OF_HALF
  if (isWhole) return { first: outer, second: inner, isWhole }
  return { first: withLeastExcess(outer, SAMPLE), second: withLeastExcess(inner, SAMPLE), isWhole }
}

/** More partial routes than this in a half cannot be gone through; a sample of the likeliest still gives a good route. */
const MOST_OF_HALF = 30_000_000
const SAMPLE = 2_000

/** Putting a route together takes about as long as this many steps. */
const STEPS_PER_ROUTE = 1_024

/** Doubles decide only what is passed over; whether a route is within the goal is decided here. */
function isWithin(route: Route, { target, maxCost, maxFace, maxLegs }: Goal): boolean {
  if (route.advance < target || route.cost > maxCost || route.options.length > maxLegs) return false
  return maxFace === undefined || route.face <= maxFace
}

/** More than the doubles of a sum may be off by, relative to the largest sum. */
const RELATIVE_ERROR = 2 ** -48

/**
 * The goal in the doubles of the meeting, wider by as much as those may be off.
 *
 * Pruning rule: a route is wanted only if its excess is at most keep * maxCost - base - rate * advance.
 * Proof: keep * cost = rate * advance + base + excess for every route, and cost <= maxCost. No excess is negative, so the
 * same holds for each half, and at excess 0 it bounds the advance.
 */
function windowOf(lots: LotProblem, { target, maxCost, maxLegs }: Goal, origin: bigint): Window {
  const { price, scale, base, exact } = lots
  const margin = exact ? 0 : lots.mostAdvance * RELATIVE_ERROR
  const rate = Number(price.rate * scale)
  const slackMargin = 0.5 + (lots.mostExcess + rate * lots.mostAdvance) * RELATIVE_ERROR
  const slack = Number(price.keep * maxCost - base - price.rate * scale * origin) + slackMargin
  const byCost = rate > 0 ? Number(origin) + slack / rate + 1 : Number.POSITIVE_INFINITY
  return {
    low: Number(ceilDiv(target, scale)) - margin,
    high: Math.min(lots.mostAdvance, byCost) + margin,
    slack,
    maxLegs,
    origin: Number(origin),
    rate,
  }
}
