import { bestWorth } from './convolve.ts'
import { type Curve, constantCurve, legCurve } from './curve.ts'
import { byPrice, type Pattern, patternsOf } from './patterns.ts'
import { ceilDiv, larger, smaller } from './pricing.ts'
import { excessAtLeastLot, type Option } from './problem.ts'
import { maskOfRequired } from './relaxation.ts'
import type { Member, Shape, SharedVault } from './shape.ts'
import { minimum, sweepForward, type Weights, type Workspace } from './subsets.ts'

/** Weights are whole multiples of 2^-GRAIN units, so that sums of them in doubles are exact integers. */
const GRAIN = 5
const EXACT_BITS = 46
const PATTERNS_AT_MOST = 400
/** What float pricing may be off by, on top of the rounding itself. */
const ROUNDING_SLACK = 16

/**
 * Rounding adds less than one unit per leg, and a least lot its excess; patterns that lose more than this stay dominated
 * once both are counted.
 */
function roundingSlack(vault: SharedVault, maxLegs: number): number {
  const excess = vault.members.reduce((most, { option }) => larger(most, excessAtLeastLot(option)), 0n)
  return ROUNDING_SLACK + maxLegs * Number(excess)
}

type Rate = { readonly rate: bigint; readonly keep: bigint }

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
  const weights = roundedWeights(shape, worth, grain)
  if (weights === undefined) return 0n
  sweepForward(shape, weights, space)
  const least = minimum(shape, weights, space).weight
  if (least === Number.POSITIVE_INFINITY) return 'no route'
  const { rate, keep } = worth
  return grain >= 0
    ? floorDivUp(BigInt(least) * keep + ((rate * target) << BigInt(grain)), keep << BigInt(grain))
    : floorDivUp(((BigInt(least) * keep) << BigInt(-grain)) + rate * target, keep)
}

/** An upper bound on the advance of every route of the node. */
export function certifiedAdvance(shape: Shape, space: Workspace): bigint {
  const grain = grainFor(shape, { rate: 0n, keep: 1n })
  const requiredMask = maskOfRequired(shape)
  const patterns = shape.vaults.map((vault) => {
    const weigh = (members: readonly Member[]) => advanceWeight(vault, members, grain)
    return patternsOf(vault, shape, requiredMask, weigh, 0, Number.POSITIVE_INFINITY, new Map()) ?? []
  })
  const free = shape.free.map((list) => cheapest(list, (option) => scaleDown(-option.hi, grain)))
  const weights: Weights = { patterns, free }
  sweepForward(shape, weights, space)
  const least = minimum(shape, weights, space).weight
  if (least === Number.POSITIVE_INFINITY) return -1n
  // Coarser than a unit, the patterns' dominance may be off by the grain of a few legs.
  return grain >= 0 ? -BigInt(least) >> BigInt(grain) : (16n - BigInt(least)) << BigInt(-grain)
}

function advanceWeight(vault: SharedVault, members: readonly Member[], grain: number): number {
  const least = members.reduce((sum, member) => sum + member.option.lo, 0n)
  if (least > vault.exactLiquidity) return Number.POSITIVE_INFINITY
  const asked = members.reduce((sum, member) => sum + member.option.hi, 0n)
  return scaleDown(-smaller(asked, vault.exactLiquidity), grain)
}

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

function roundedWeights(shape: Shape, worth: Rate, grain: number): Weights | undefined {
  const requiredMask = maskOfRequired(shape)
  const unit = Number(worth.rate) / Number(worth.keep)
  const rounded = legWeights(grain)
  const patterns: Pattern[][] = []
  for (const vault of shape.vaults) {
    const found = patternsOf(
      vault,
      shape,
      requiredMask,
      byPrice(vault, (option) => option.slope - unit),
      roundingSlack(vault, shape.maxLegs),
      PATTERNS_AT_MOST,
      new Map(),
    )
    if (found === undefined) return undefined
    patterns.push(
      found.map((pattern) => ({ ...pattern, weight: patternWeight(vault, pattern, worth, grain, rounded) })),
    )
  }
  const free = shape.free.map((list) => cheapest(list, (option) => rounded(option, worth)))
  return { patterns, free }
}

function cheapest(options: readonly Option[], weigh: (option: Option) => number) {
  let best: { option: Option; weight: number } | undefined
  for (const option of options) {
    const weight = weigh(option)
    if (best === undefined || weight < best.weight) best = { option, weight }
  }
  return best
}

type LegWeight = (option: Option, worth: Rate) => number

/** The least cost of a leg minus what its advance is worth, its own rounding included; rounded down to the grain. */
function legWeights(grain: number): LegWeight {
  const memo = new Map<Option, Map<bigint, number>>()
  return (option, worth) => {
    const known = memo.get(option) ?? new Map<bigint, number>()
    memo.set(option, known)
    const cached = known.get(worth.rate)
    if (cached !== undefined) return cached
    const weight = scaledQuotient(-bestWorth(legCurve(option), asCurve(worth)), worth.keep, grain)
    known.set(worth.rate, weight)
    return weight
  }
}

const asCurve = ({ rate, keep }: Rate): Curve => ({ ...constantCurve(0n, 0n), rate, keep })

/**
 * Several legs in one vault: for any in-vault worth w' <= w, the advance of the vault is worth at most (w - w') times
 * its liquidity more than at w', so sum of leg weights at w' - (w - w') * liquidity never overestimates. The worth of
 * each leg in turn is tried, and w' = w, which is the case of liquidity to spare.
 */
function patternWeight(
  vault: SharedVault,
  pattern: Pattern,
  worth: Rate,
  grain: number,
  weigh: LegWeight,
): number {
  const { members } = pattern
  let best = members.reduce((sum, member) => sum + weigh(member.option, worth), 0)
  if (members.length === 1) return best
  for (const { option } of members) {
    const excess = worth.rate * option.keep - option.rate * worth.keep
    if (excess <= 0n || option.rate === 0n) continue
    const legs = members.reduce((sum, member) => sum + weigh(member.option, option), 0)
    const total = legs + scaledQuotient(-excess * vault.exactLiquidity, worth.keep * option.keep, grain)
    if (total > best) best = total
  }
  return best
}

function scaledQuotient(numerator: bigint, denominator: bigint, grain: number): number {
  const [top, bottom] =
    grain >= 0 ? [numerator << BigInt(grain), denominator] : [numerator, denominator << BigInt(-grain)]
  return Number(top >= 0n ? top / bottom : -ceilDiv(-top, bottom))
}

const scaleDown = (amount: bigint, grain: number): number => scaledQuotient(amount, 1n, grain)

/** Quotient rounded up for a numerator of either sign. */
function floorDivUp(numerator: bigint, denominator: bigint): bigint {
  return numerator > 0n ? ceilDiv(numerator, denominator) : -(-numerator / denominator)
}
