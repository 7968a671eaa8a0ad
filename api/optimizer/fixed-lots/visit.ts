import { ceilDiv } from '../../domain/bigint.ts'
import { type Route, routeOf } from '../model/route.ts'
import { LOT_SUM_ERROR } from '../model/tolerances.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'
import { type Classes, likeliest, lotsOfClass, usefulClasses } from './classes.ts'
import { routesPerUnit } from './density.ts'
import type { Halves } from './halves.ts'
import type { LotProblem } from './lot-problem.ts'
import { meet } from './meet.ts'
import { joinReach, leastAdvances, reachOfClasses, reachOfHalf } from './reach.ts'
import type { UsageBook } from './usage.ts'
import type { Half, Window } from './window.ts'

export type Parts = { readonly lots: LotProblem; readonly book: UsageBook; readonly halves: Halves }

/** The routes that are wanted. */
export type LotGoal = {
  readonly target: bigint
  readonly maxCost: bigint
  readonly maxFace: bigint | undefined
  readonly maxLegs: number
}

/**
 * Offers every route within the goal; false when some may not have been visited. `accept` returns the goal for those
 * that follow.
 */
export function visitRoutes(
  parts: Parts,
  first: LotGoal,
  budget: WorkBudget,
  accept: (route: Route, goal: LotGoal) => LotGoal,
): boolean {
  const { lots, book } = parts
  let goal = first
  const origin = ceilDiv(goal.target, lots.scale)
  const window = windowOf(lots, goal, origin)
  const { left, right, isWhole } = chooseHalves(parts, window)
  spend(budget, 'lotStep', sizeOf(parts.halves.left) + sizeOf(parts.halves.right))
  const lists = [left.first, left.second, right.first, right.second]
  const visit = (...numbers: readonly number[]): void => {
    spend(budget, 'lotRoute', 1)
    if (!book.fit(lists.map((list, index) => list.usage[numbers[index] ?? 0] ?? 0))) return
    const options = lists.flatMap((list, index) => lotsOfClass(list, numbers[index] ?? 0))
    options.sort((a, b) => a.claim - b.claim)
    const advances = options.map((option) => option.lo)
    const route = routeOf(options, advances)
    if (!isWithin(route, goal)) return
    goal = accept(route, goal)
    Object.assign(window, windowOf(lots, goal, origin))
  }
  return meet(left, right, window, visit, budget) && isWhole
}

const sizeOf = ({ first, second }: Half): number => first.size + second.size

/** Over how much advance, from the target on, there are about a thousand routes were their cost no matter. */
export function spacingOf(parts: Parts, goal: LotGoal): bigint {
  const { lots } = parts
  const origin = ceilDiv(goal.target, lots.scale)
  const window = { ...windowOf(lots, goal, origin), slack: Number.POSITIVE_INFINITY }
  const { left, right } = chooseHalves(parts, window)
  const density = routesPerUnit([left, right], goal.maxLegs, lots.mostAdvance, Number(origin))
  return BigInt(Math.ceil(Math.min(lots.mostAdvance, 1_000 / density))) * lots.scale
}

/**
 * More partial routes than this in a half cannot be gone through; a sample of the likeliest still gives a good route.
 */
const MOST_OF_HALF = 30_000_000

type Chosen = Halves & { readonly isWhole: boolean }

function chooseHalves({ lots, halves }: Parts, window: Window): Chosen {
  const left = usefulHalf(halves.left, halves.right, window)
  const right = usefulHalf(halves.right, halves.left, window)
  const isWhole = [left, right].every(({ first, second }) => first.size * second.size <= MOST_OF_HALF)
  if (isWhole) return { left, right, isWhole }
  const share = Math.max(window.origin / window.maxLegs, meanLot(lots))
  const sample = ({ first, second }: Half): Half => ({
    first: likeliest(first, window.rate, share),
    second: likeliest(second, window.rate, share),
  })
  return { left: sample(left), right: sample(right), isWhole }
}

function meanLot({ claims }: LotProblem): number {
  const advances = claims.flatMap(({ lots }) => lots.map(({ advance }) => advance))
  return advances.reduce((sum, advance) => sum + advance, 0) / Math.max(1, advances.length)
}

/** What is left of a half once its classes are held against the window. */
function usefulHalf({ first, second }: Half, other: Half, { low, slack, maxLegs }: Window): Half {
  const elsewhere = reachOfHalf(other, maxLegs)
  const useful = (classes: Classes, beside: Classes): Classes => {
    const rest = joinReach(elsewhere, reachOfClasses(beside, maxLegs))
    return usefulClasses(classes, slack, leastAdvances(low, maxLegs, rest))
  }
  return { first: useful(first, second), second: useful(second, first) }
}

/** Doubles decide only what is passed over; whether a route is within the goal is decided here. */
function isWithin(route: Route, { target, maxCost, maxFace, maxLegs }: LotGoal): boolean {
  if (route.advance < target || route.cost > maxCost || route.options.length > maxLegs) return false
  return maxFace === undefined || route.face <= maxFace
}

/**
 * The goal in the doubles of the meeting, wider by as much as those may be off.
 *
 * Pruning rule: a route is wanted only if its excess is at most keep * maxCost - base - rate * advance.
 * Proof: keep * cost = rate * advance + base + excess for every route, and cost <= maxCost. No excess is negative, so
 * the same holds for each half, and at excess 0 it bounds the advance.
 */
function windowOf(lots: LotProblem, { target, maxCost, maxLegs }: LotGoal, origin: bigint): Window {
  const { price, scale, base, exact } = lots
  const margin = exact ? 0 : lots.mostAdvance * LOT_SUM_ERROR
  const rate = Number(price.rate * scale)
  const slackMargin = 0.5 + (lots.mostExcess + rate * lots.mostAdvance) * LOT_SUM_ERROR
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
