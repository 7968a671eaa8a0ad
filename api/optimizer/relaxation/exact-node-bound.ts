import { larger, least, smaller } from '../../domain/bigint.ts'
import { excessAtLeastLot, type Option } from '../model/problem.ts'
import { REDUCED_COST_ERROR, ROUNDING_SLACK } from '../model/tolerances.ts'
import { spend } from '../model/work-budget.ts'
import { EXACT_BITS } from './exact-subsets.ts'
import { type CostsOf, patternsOf, rulesFor } from './patterns.ts'
import {
  isCheaper,
  leastReducedCosts,
  patternReducedCosts,
  quotientUp,
  type Rate,
  scaledQuotient,
} from './rounded.ts'
import type { Member, Shape, SharedVault, UnitReducedCost } from './shape.ts'
import type { Workspace } from './workspace.ts'

/** Reduced costs are whole multiples of 2^-GRAIN units, coarser where amounts are too large for `exactMinimum`. */
const GRAIN = 12
/** A sum over eight legs, with its sign. */
const SUM_BITS = 4

/**
 * The relaxation once more, in whole numbers and with the rounding of every leg inside: a lower bound on the cost of
 * every route of the node that reaches the target. The multiplier is a leg's own rate / keep, where the
 * float relaxation has its maximum whenever one leg is filled in part.
 */
export function exactCostBound(
  whole: Shape,
  multiplier: Rate,
  target: bigint,
  space: Workspace,
  minimum: ExactLeastOf,
): bigint | 'no route' {
  const shape = withExpensiveOptionsFree(whole, multiplier)
  const unit = Number(multiplier.rate) / Number(multiplier.keep)
  const grain = grainFor(shape, multiplier, GRAIN)
  const loss = leastReducedCosts(space.budget)
  const least = leastOf(shape, space, {
    unitReducedCost: (option) => option.slope - unit,
    slack: slackFor(shape, unit),
    together: (vault) => patternReducedCosts(vault, multiplier, grain, loss),
    alone: (option) => scaledQuotient(loss(option, multiplier), multiplier.keep, grain),
    minimum,
  })
  if (least === undefined) return 'no route'
  const { rate, keep } = multiplier
  return grain >= 0
    ? quotientUp(least * keep + ((rate * target) << BigInt(grain)), keep << BigInt(grain))
    : quotientUp(((least * keep) << BigInt(-grain)) + rate * target, keep)
}

/** An upper bound on the advance of every route of the node. */
export function exactAdvanceBound(shape: Shape, space: Workspace, minimum: ExactLeastOf): bigint {
  const grain = grainFor(shape, { rate: 0n, keep: 1n }, 0)
  const least = leastOf(shape, space, {
    unitReducedCost: () => -1,
    slack: REDUCED_COST_ERROR * shape.most,
    together: (vault) => (members) =>
      scaledQuotient(-smaller(largestAdvance(members), vault.exactLiquidity), 1n, grain),
    alone: (option) => scaledQuotient(-option.hi, 1n, grain),
    minimum,
  })
  return least === undefined ? -1n : -least << BigInt(-grain)
}

/** `unitReducedCost` and `slack` prune patterns in doubles; `together` and `alone` are exact reduced costs. */
type Scales = {
  readonly unitReducedCost: UnitReducedCost
  readonly slack: number
  together(vault: SharedVault): (members: readonly Member[]) => bigint
  alone(option: Option): bigint
  readonly minimum: ExactLeastOf
}

/** The least reduced cost over every assignment; undefined when there is none. */
export type ExactLeastOf = (shape: Shape, costs: CostsOf<bigint>, space: Workspace) => bigint | undefined

function leastOf(
  shape: Shape,
  space: Workspace,
  { unitReducedCost, slack, together, alone, minimum }: Scales,
): bigint | undefined {
  const isFull = (vault: SharedVault, members: readonly Member[]) =>
    largestAdvance(members) >= vault.exactLiquidity
  const rules = { ...rulesFor(shape, unitReducedCost, space.budget), slack, isFull }
  const found = patternsOf(shape, rules)
  spend(space.budget, 'splitStep', found.flat().length)
  const patterns = shape.vaults.map((vault, index) => {
    const reducedCostOf = together(vault)
    return (found[index] ?? []).map((pattern) => ({
      ...pattern,
      reducedCost: reducedCostOf(pattern.members),
    }))
  })
  return minimum(shape, { patterns, free: shape.free.map((list) => least(list.map(alone))) }, space)
}

const largestAdvance = (members: readonly Member[]): bigint =>
  members.reduce((sum, { option }) => sum + option.hi, 0n)

function grainFor(shape: Shape, multiplier: Rate, finest: number): number {
  let most = 1n
  const widen = (option: Option) => {
    const size = option.hi + option.costHi + (option.hi * multiplier.rate) / multiplier.keep
    if (size > most) most = size
  }
  for (const list of shape.free) list.forEach(widen)
  for (const vault of shape.vaults) for (const { option } of vault.members) widen(option)
  return Math.min(finest, EXACT_BITS - SUM_BITS - most.toString(2).length)
}

/**
 * Bounds what doubles leave out: rounding adds less than one unit per leg and per vault, a least lot its
 * excess, and floats err in proportion to what they add up. Patterns that lose more than this stay dominated once all
 * is counted.
 */
function slackFor(shape: Shape, multiplier: number): number {
  let excess = 0n
  let liquidity = 0
  for (const vault of shape.vaults) {
    liquidity = Math.max(liquidity, vault.liquidity)
    for (const { option } of vault.members) excess = larger(excess, excessAtLeastLot(option))
  }
  return ROUNDING_SLACK + shape.maxLegs * Number(excess) + REDUCED_COST_ERROR * liquidity * multiplier
}

/**
 * Pruning rule: an option at a rate not below the multiplier never competes for its vault; it is free, and taken only
 * where its claim is required.
 * Proof: the reduced cost of such a leg is not negative, so that of a route is no less than that of its other legs, and
 * bounds on reduced costs need not reach the target. For a required claim the vault is forgotten, which only widens the
 * choice. A vault that must have some number of legs keeps its options: they may be needed to make up the number.
 */
function withExpensiveOptionsFree(shape: Shape, multiplier: Rate): Shape {
  const stays = ({ option }: Member) => isCheaper(option, multiplier)
  const free = shape.free.map((list) => [...list])
  const vaults = shape.vaults.map((vault) => {
    if (vault.legs.least > 0) return vault
    for (const member of vault.members) if (!stays(member)) free[member.option.claim]?.push(member.option)
    return { ...vault, members: vault.members.filter(stays) }
  })
  return { ...shape, free, vaults }
}
