import { compare, larger } from '../../domain/bigint.ts'
import type { Option, Problem } from '../model/problem.ts'

/**
 * Fixed lots in doubles. Amounts of advance are divided by their greatest common divisor, and a cost is written as
 * `(rate * advance + base + excess) / keep`: what the price makes of the advance, plus an excess that is never
 * negative.
 */
export type LotProblem = {
  readonly problem: Problem
  /** Only claims that have a lot. */
  readonly claims: readonly ClaimLots[]
  readonly scale: bigint
  readonly price: Price
  /** keep * cost - rate * advance of a route is at least this. */
  readonly base: bigint
  /**
   * Whether every sum of the doubles is an exact integer. If not, they are off by at most a few 2^-53 of the largest
   * sum.
   */
  readonly exact: boolean
  readonly mostAdvance: number
  readonly mostExcess: number
}

export type ClaimLots = {
  readonly claim: number
  /** In vault order. */
  readonly lots: readonly Lot[]
  /** Excess of leaving the claim out. */
  readonly unused: number
}

export type Lot = { readonly option: Option; readonly advance: number; readonly excess: number }

/** A unit of advance is priced at rate / keep units of cost. */
export type Price = { readonly rate: bigint; readonly keep: bigint }

/** Whether every option is a fixed lot, and a claim has one in a vault at most. */
export function hasFixedLotsOnly(problem: Problem): boolean {
  return problem.options.every((list) =>
    list.every(({ lo, hi, vault }, index) => lo === hi && list[index - 1]?.vault !== vault),
  )
}

export function lotProblemAt(problem: Problem, price: Price): LotProblem {
  const scale = problem.options.flat().reduce((divisor, { lo }) => gcd(lo, divisor), 0n) || 1n
  let base = 0n
  const claims = problem.options.flatMap((list, claim) => {
    if (list.length === 0) return []
    const least = leastExcess(list, price)
    base += least
    const lots = list.map((option) => ({
      option,
      advance: Number(option.lo / scale),
      excess: Number(excessOf(option, price) - least),
    }))
    return [{ claim, lots, unused: Number(-least) }]
  })
  const mostAdvance = sumOfMost(claims, ({ lots }) => lots.map((lot) => lot.advance))
  const mostExcess = sumOfMost(claims, ({ lots, unused }) => [unused, ...lots.map((lot) => lot.excess)])
  const exact = mostAdvance < 2 ** 53 && mostExcess < 2 ** 53
  return { problem, claims, scale, price, base, exact, mostAdvance, mostExcess }
}

/** keep * cost - rate * advance, summed over the claims, each left out or in its lot for which that is least. */
export function baseAt(problem: Problem, price: Price): bigint {
  return problem.options.reduce((sum, list) => sum + leastExcess(list, price), 0n)
}

/** The candidate prices: each rate among the lots once, lowest first. */
export function pricesOf(problem: Problem): Price[] {
  const byRate = new Map(problem.options.flat().map(({ rate, keep }) => [rate, { rate, keep }]))
  return [...byRate.values()].sort((a, b) => Number(a.rate - b.rate))
}

function leastExcess(list: readonly Option[], price: Price): bigint {
  let least = 0n
  for (const option of list) {
    const excess = excessOf(option, price)
    if (excess < least) least = excess
  }
  return least
}

function excessOf({ costLo, lo }: Option, { rate, keep }: Price): bigint {
  return keep * costLo - rate * lo
}

function sumOfMost(claims: readonly ClaimLots[], amounts: (claim: ClaimLots) => number[]): number {
  return claims.reduce((sum, claim) => sum + Math.max(0, ...amounts(claim)), 0)
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b)
}

/** The most that `maxLegs` claims advance in their largest lots. */
export function reachOf(problem: Problem, maxLegs: number): bigint {
  return sumOfLargest(problem.options, maxLegs)
}

/** The same in one vault. */
export function reachInVault(problem: Problem, vault: number, maxLegs: number): bigint {
  return sumOfLargest(
    problem.options.map((list) => list.filter((option) => option.vault === vault)),
    maxLegs,
  )
}

function sumOfLargest(options: readonly (readonly Option[])[], count: number): bigint {
  const largest = options.map((list) => list.reduce((most, { hi }) => larger(most, hi), 0n))
  largest.sort((a, b) => compare(b, a))
  return largest.slice(0, count).reduce((sum, hi) => sum + hi, 0n)
}

/** No route costs more than this. */
export function largestCost(problem: Problem): bigint {
  return problem.options.reduce(
    (sum, list) => sum + list.reduce((most, { costLo }) => larger(most, costLo), 0n),
    0n,
  )
}
