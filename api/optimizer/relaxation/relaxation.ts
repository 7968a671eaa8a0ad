import type { Option } from '../model/problem.ts'
import { minimum } from './completion.ts'
import { aloneAt, placesOf } from './elsewhere.ts'
import { type Limit, limitAt, outside } from './outlook.ts'
import {
  byPrice,
  fillTotals,
  type Losses,
  noLosses,
  type Pattern,
  type Price,
  patternsOf,
} from './patterns.ts'
import type { Shape } from './shape.ts'
import { type FreeChoice, sweepForward, tracePatterns, type Weights } from './subsets.ts'
import type { Workspace } from './workspace.ts'

/**
 * The relaxation: only the target is dualized, at `worth` units of cost per unit of advance. Liquidity, the leg limit
 * and "one vault per claim" stay exact, because a table over subsets of claims settles them vault by vault.
 * For any worth >= 0, cost >= weight + worth * target for every route that reaches the target.
 */
export type Relaxed = {
  readonly weight: number
  readonly chosen: readonly Option[]
  readonly advance: number
  readonly cost: number
  readonly weights: Weights
  readonly losses: Losses
}

export type Objective = 'cost' | 'advance'

/** The lightest assignment, undefined when none weighs at most `cutoff`. */
export function relax(
  shape: Shape,
  worth: number,
  objective: Objective,
  space: Workspace,
  cutoff = Number.POSITIVE_INFINITY,
): Relaxed | undefined {
  const price: Price = objective === 'cost' ? (option) => option.slope - worth : () => -1
  const losses = noLosses()
  const free = shape.free.map((list) => cheapestFree(list, price))
  const limit = cutoff < Number.POSITIVE_INFINITY ? limitFor(shape, cutoff, price, free) : undefined
  const rules = {
    requiredMask: maskOfRequired(shape),
    elsewhere: placesOf(shape, (option) => aloneAt(option, price)),
    slack: 0,
    losses,
    fuse: space.fuse,
    isFull: () => false,
    isTooHeavy: limit === undefined ? () => false : tooHeavyFor(shape, limit),
  }
  const patterns = shape.vaults.map((vault, index) =>
    patternsOf(shape, index, { ...rules, weigh: byPrice(vault, price) }),
  )
  const weights: Weights = { patterns, free, limit }
  sweepForward(shape, weights, space)
  const least = minimum(shape, weights, space)
  if (least.weight === Number.POSITIVE_INFINITY || least.weight > cutoff) return undefined
  const traced = tracePatterns(shape, weights, space.tables, least.served)
  return { weight: least.weight, weights, losses, ...totals(shape, weights, traced, least.taken, price) }
}

function limitFor(
  shape: Shape,
  cutoff: number,
  price: Price,
  free: readonly (FreeChoice | undefined)[],
): Limit {
  const alone = free.map((choice) => choice?.weight ?? Number.POSITIVE_INFINITY)
  for (const { members } of shape.vaults)
    for (const { option } of members)
      alone[option.claim] = Math.min(alone[option.claim] as number, aloneAt(option, price))
  return limitAt(cutoff, shape, alone)
}

function tooHeavyFor(shape: Shape, limit: Limit): (mask: number, legs: number, weight: number) => boolean {
  const least = outside(shape, limit)
  return (mask, legs, weight) => weight + least(mask, legs) > limit.cutoff
}

export function maskOfRequired(shape: Shape): number {
  let mask = 0
  shape.required.forEach((required, claim) => {
    const bit = shape.bits[claim] ?? -1
    if (required && bit >= 0) mask |= 1 << bit
  })
  return mask
}

function cheapestFree(options: readonly Option[], price: Price): FreeChoice | undefined {
  let best: FreeChoice | undefined
  for (const option of options) {
    const weight = aloneAt(option, price)
    if (best === undefined || weight < best.weight) best = { option, weight }
  }
  return best
}

function totals(
  shape: Shape,
  weights: Weights,
  traced: readonly (Pattern | undefined)[],
  taken: number,
  price: Price,
): { chosen: Option[]; advance: number; cost: number } {
  const chosen: Option[] = []
  let advance = 0
  let cost = 0
  shape.vaults.forEach((vault, index) => {
    const pattern = traced[index]
    if (pattern === undefined) return
    const filled = fillTotals(vault, pattern.members, price)
    advance += filled.advance
    cost += filled.cost
    chosen.push(...pattern.members.map((member) => member.option))
  })
  weights.free.forEach((choice, claim) => {
    if (choice === undefined || (taken & (1 << claim)) === 0) return
    const amount = price(choice.option) < 0 ? choice.option.hiFloat : choice.option.loFloat
    advance += amount
    cost += amount * choice.option.slope
    chosen.push(choice.option)
  })
  chosen.sort((a, b) => a.claim - b.claim)
  return { chosen, advance, cost }
}
