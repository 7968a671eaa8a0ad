import { larger, smaller } from '../../domain/discount.ts'
import { charge } from '../model/fuse.ts'
import { excessAtLeastLot, type Option } from '../model/problem.ts'
import { aloneAt, placesOf } from './elsewhere.ts'
import { EXACT_BITS, type ExactPattern, type ExactWeights, lightest } from './lightest.ts'
import { byPrice, noLosses, type Price, patternsOf } from './patterns.ts'
import { maskOfRequired } from './relaxation.ts'
import { isCheaper, leastLosses, patternWeights, quotientUp, type Rate, scaledQuotient } from './rounded.ts'
import type { Member, Shape, SharedVault } from './shape.ts'
import type { Workspace } from './workspace.ts'

/** Weights are whole multiples of 2^-GRAIN units, coarser where amounts are so large that `lightest` could not hold them. */
const GRAIN = 12
/** A sum over eight legs, with its sign. */
const SUM_BITS = 4
const ROUNDING_SLACK = 16
const FLOAT_ERROR = 1e-11

/**
 * The relaxation once more, in whole numbers and with the rounding of every leg inside: a lower bound on the cost of
 * every route of the node that reaches the target. The worth of a unit of advance is a leg's own rate / keep, where the
 * float relaxation has its maximum whenever one leg is filled in part.
 */
export function certifiedCost(
  whole: Shape,
  worth: Rate,
  target: bigint,
  space: Workspace,
): bigint | 'no route' {
  const shape = withDearOptionsFree(whole, worth)
  const unit = Number(worth.rate) / Number(worth.keep)
  const grain = grainFor(shape, worth, GRAIN)
  const loss = leastLosses(space.fuse)
  const least = leastOf(shape, space, {
    price: (option) => option.slope - unit,
    slack: slackFor(shape, unit),
    together: (vault) => patternWeights(vault, worth, grain, loss),
    alone: (option) => scaledQuotient(loss(option, worth), worth.keep, grain),
  })
  if (least === undefined) return 'no route'
  const { rate, keep } = worth
  return grain >= 0
    ? quotientUp(least * keep + ((rate * target) << BigInt(grain)), keep << BigInt(grain))
    : quotientUp(((least * keep) << BigInt(-grain)) + rate * target, keep)
}

/** An upper bound on the advance of every route of the node. */
export function certifiedAdvance(shape: Shape, space: Workspace): bigint {
  const grain = grainFor(shape, { rate: 0n, keep: 1n }, 0)
  const least = leastOf(shape, space, {
    price: () => -1,
    slack: FLOAT_ERROR * shape.most,
    together: (vault) => (members) =>
      scaledQuotient(-smaller(largestAdvance(members), vault.exactLiquidity), 1n, grain),
    alone: (option) => scaledQuotient(-option.hi, 1n, grain),
  })
  return least === undefined ? -1n : -least << BigInt(-grain)
}

/** `price` and `slack` sort patterns out in doubles; `together` and `alone` weigh what is left in whole numbers. */
type Scales = {
  readonly price: Price
  readonly slack: number
  together(vault: SharedVault): (members: readonly Member[]) => bigint
  alone(option: Option): bigint
}

function leastOf(
  shape: Shape,
  space: Workspace,
  { price, slack, together, alone }: Scales,
): bigint | undefined {
  const rules = {
    requiredMask: maskOfRequired(shape),
    elsewhere: placesOf(shape, (option) => aloneAt(option, price)),
    slack,
    losses: noLosses(),
    fuse: space.fuse,
    isTooHeavy: () => false,
  }
  const patterns = shape.vaults.map((vault, index): ExactPattern[] => {
    const isFull = (members: readonly Member[]) => largestAdvance(members) >= vault.exactLiquidity
    const found = patternsOf(shape, index, { ...rules, weigh: byPrice(vault, price), isFull })
    charge(space.fuse, found.length)
    const weigh = together(vault)
    return found.map(({ mask, members }) => ({ mask, members, weight: weigh(members) }))
  })
  const weights: ExactWeights = { patterns, free: shape.free.map((list) => leastWeight(list, alone)) }
  return lightest(shape, weights, space)
}

const largestAdvance = (members: readonly Member[]): bigint =>
  members.reduce((sum, member) => sum + member.option.hi, 0n)

function grainFor(shape: Shape, worth: Rate, finest: number): number {
  let most = 1n
  const widen = (option: Option) => {
    const size = option.hi + option.costHi + (option.hi * worth.rate) / worth.keep
    if (size > most) most = size
  }
  for (const list of shape.free) list.forEach(widen)
  for (const vault of shape.vaults) for (const { option } of vault.members) widen(option)
  return Math.min(finest, EXACT_BITS - SUM_BITS - most.toString(2).length)
}

/**
 * What float weights may hide: rounding adds less than one unit per leg and per vault, a least lot its excess, and
 * floats err in proportion to what they add up. Patterns that lose more than this stay dominated once all is counted.
 */
function slackFor(shape: Shape, worth: number): number {
  let excess = 0n
  let liquidity = 0
  for (const vault of shape.vaults) {
    liquidity = Math.max(liquidity, vault.liquidity)
    for (const { option } of vault.members) excess = larger(excess, excessAtLeastLot(option))
  }
  return ROUNDING_SLACK + shape.maxLegs * Number(excess) + FLOAT_ERROR * liquidity * worth
}

/**
 * Pruning rule: an option at a rate not below the worth never competes for its vault; it is free, and taken only where
 * its claim is required.
 * Proof: such a leg costs at least what its advance is worth, so a route weighs no less than the rest of it does, and
 * bounds on weights need not reach the target. For a required claim the vault is forgotten, which only widens the choice.
 * A vault that must have some number of legs keeps its options: they may be needed to make up the number.
 */
function withDearOptionsFree(shape: Shape, worth: Rate): Shape {
  const stays = ({ option }: Member) => isCheaper(option, worth)
  const free = shape.free.map((list) => [...list])
  const vaults = shape.vaults.map((vault) => {
    if (vault.legs.least > 0) return vault
    for (const member of vault.members) if (!stays(member)) free[member.option.claim]?.push(member.option)
    return { ...vault, members: vault.members.filter(stays) }
  })
  return { ...shape, free, vaults }
}

function leastWeight(options: readonly Option[], weigh: (option: Option) => bigint): bigint | undefined {
  return options.map(weigh).reduce<bigint | undefined>((least, weight) => {
    return least === undefined || weight < least ? weight : least
  }, undefined)
}
