import { larger, smaller } from '../domain/discount.ts'
import { minimum } from './completion.ts'
import { aloneAt, placesOf } from './elsewhere.ts'
import { charge } from './fuse.ts'
import { byPrice, noLosses, type Pattern, patternsOf } from './patterns.ts'
import { excessAtLeastLot, type Option } from './problem.ts'
import { maskOfRequired } from './relaxation.ts'
import { leastLosses, patternWeights, quotientUp, type Rate, scaleDown, scaledQuotient } from './rounded.ts'
import type { Member, Shape, SharedVault } from './shape.ts'
import { sweepForward, type Weights } from './subsets.ts'
import type { Workspace } from './workspace.ts'

/** Weights are whole multiples of 2^-GRAIN units, so that sums of them in doubles are exact integers. */
const GRAIN = 12
const EXACT_BITS = 49
const ROUNDING_SLACK = 16
const FLOAT_ERROR = 1e-11

/**
 * The relaxation once more, in whole numbers and with the rounding of every leg inside: a lower bound on the cost of
 * every route of the node that reaches the target. The worth of a unit of advance is a leg's own rate / keep, where the
 * float relaxation has its maximum whenever one leg is filled in part.
 */
export function certifiedCost(
  shape: Shape,
  worth: Rate,
  target: bigint,
  space: Workspace,
): bigint | 'no route' {
  const grain = grainFor(shape, worth)
  const weights = roundedWeights(shape, worth, grain, space)
  sweepForward(shape, weights, space)
  const least = minimum(shape, weights, space).weight
  if (least === Number.POSITIVE_INFINITY) return 'no route'
  const { rate, keep } = worth
  return grain >= 0
    ? quotientUp(BigInt(least) * keep + ((rate * target) << BigInt(grain)), keep << BigInt(grain))
    : quotientUp(((BigInt(least) * keep) << BigInt(-grain)) + rate * target, keep)
}

/** An upper bound on the advance of every route of the node. */
export function certifiedAdvance(shape: Shape, space: Workspace): bigint {
  const grain = grainFor(shape, { rate: 0n, keep: 1n })
  const alone = (option: Option) => scaleDown(-option.hi, grain)
  const rules = {
    requiredMask: maskOfRequired(shape),
    elsewhere: placesOf(shape, alone),
    // Coarser than a unit, weights are rounded, by less than one for a pattern and one for a claim elsewhere: claims are then
    // left out or moved only where that is sure to gain.
    slack: grain >= 0 ? 0 : 4,
    losses: noLosses(),
    fuse: space.fuse,
    isFull: () => false,
    isTooHeavy: () => false,
  }
  const patterns = shape.vaults.map((vault, index) => {
    const weigh = (members: readonly Member[]) => advanceWeight(vault, members, grain)
    return patternsOf(shape, index, { ...rules, weigh })
  })
  const free = shape.free.map((list) => cheapest(list, alone))
  const weights: Weights = { patterns, free, limit: undefined }
  sweepForward(shape, weights, space)
  const least = minimum(shape, weights, space).weight
  if (least === Number.POSITIVE_INFINITY) return -1n
  return grain >= 0 ? -BigInt(least) >> BigInt(grain) : -BigInt(least) << BigInt(-grain)
}

function advanceWeight(vault: SharedVault, members: readonly Member[], grain: number): number {
  const least = members.reduce((sum, member) => sum + member.option.lo, 0n)
  if (least > vault.exactLiquidity) return Number.POSITIVE_INFINITY
  return scaleDown(-smaller(largestAdvance(members), vault.exactLiquidity), grain)
}

const largestAdvance = (members: readonly Member[]): bigint =>
  members.reduce((sum, member) => sum + member.option.hi, 0n)

function grainFor(shape: Shape, worth: Rate): number {
  let most = 1n
  const widen = (option: Option) => {
    const size = option.hi + option.costHi + (option.hi * worth.rate) / worth.keep
    if (size > most) most = size
  }
  for (const list of shape.free) list.forEach(widen)
  for (const vault of shape.vaults) for (const { option } of vault.members) widen(option)
  return Math.min(GRAIN, EXACT_BITS - most.toString(2).length)
}

function roundedWeights(whole: Shape, worth: Rate, grain: number, space: Workspace): Weights {
  const shape = withDearOptionsFree(whole, worth)
  const unit = Number(worth.rate) / Number(worth.keep)
  const price = (option: Option) => option.slope - unit
  const rules = {
    requiredMask: maskOfRequired(shape),
    elsewhere: placesOf(shape, (option) => aloneAt(option, price)),
    slack: slackFor(shape, unit),
    losses: noLosses(),
    fuse: space.fuse,
    isTooHeavy: () => false,
  }
  const loss = leastLosses(space.fuse)
  const patterns: Pattern[][] = []
  for (const [index, vault] of shape.vaults.entries()) {
    const isFull = (members: readonly Member[]) => largestAdvance(members) >= vault.exactLiquidity
    const found = patternsOf(shape, index, { ...rules, weigh: byPrice(vault, price), isFull })
    charge(space.fuse, found.length)
    const weigh = patternWeights(vault, worth, grain, loss)
    patterns.push(found.map((pattern) => ({ ...pattern, weight: weigh(pattern.members) })))
  }
  const weigh = (option: Option) => scaledQuotient(loss(option, worth), worth.keep, grain)
  const free = shape.free.map((list) => cheapest(list, weigh))
  return { patterns, free, limit: undefined }
}

/**
 * What float weights may hide: rounding adds less than one unit per leg and per vault, a least lot its excess, and
 * floats err in proportion, by less than the weights are rounded down: that last term is belt and braces. Patterns that
 * lose more than this stay dominated once all is counted.
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
 */
function withDearOptionsFree(shape: Shape, worth: Rate): Shape {
  const isDear = ({ option }: Member) => option.rate * worth.keep >= worth.rate * option.keep
  const free = shape.free.map((list) => [...list])
  for (const { members } of shape.vaults)
    for (const member of members) if (isDear(member)) free[member.option.claim]?.push(member.option)
  const vaults = shape.vaults.map((vault) => ({
    ...vault,
    members: vault.members.filter((member) => !isDear(member)),
  }))
  return { ...shape, free, vaults }
}

function cheapest(options: readonly Option[], weigh: (option: Option) => number) {
  let best: { option: Option; weight: number } | undefined
  for (const option of options) {
    const weight = weigh(option)
    if (best === undefined || weight < best.weight) best = { option, weight }
  }
  return best
}
