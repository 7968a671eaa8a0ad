import type { Domain } from '../model/domain.ts'
import type { Objective } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { NEAR } from '../model/tolerances.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'

/**
 * A relaxation for any number of claims: target and liquidity are dualized, the leg limit and one vault per claim stay
 * exact. With multipliers t, u >= 0 for a unit of target and of each vault's liquidity, every route satisfies
 *     t * advance - cost <= ceilingOn(t, u) = sum of u * liquidity + the best choice of claims of (t - u - slope) * advance.
 * Proof: the route's own legs are one such choice, and they use at most the liquidity, which u >= 0 prices.
 * Where a vault has least..most legs in the domain, a price p of either sign on each of them adds p * most to the
 * ceiling, or p * least below 0, and is taken from the gain of each option there: a route pays no more than that for
 * its own legs.
 * `objective` is 'cost', or 'advance' for the same without the cost, t = 1: an upper bound on the advance itself.
 */
export type Multipliers = {
  readonly target: number
  readonly vaults: Float64Array
  readonly legs: Float64Array
}

export type OptionGain = {
  readonly option: Option
  /** (t - u - slope) * advance at the better end of the lot. */
  readonly gain: number
  readonly advance: number
}

/** The best choice of claims under some multipliers. */
export type Choice = {
  readonly ceiling: number
  readonly chosen: readonly OptionGain[]
  /** The gain that a claim has to exceed to displace a chosen one: 0 while legs are left. */
  readonly displaced: number
  /** The gain that takes the place of a chosen claim that is taken out. */
  readonly next: number
}

export const noMultipliers = ({ problem }: Domain, target: number): Multipliers => ({
  target,
  vaults: new Float64Array(problem.vaults.length),
  legs: new Float64Array(problem.vaults.length),
})

/** Bounds the gain of an option, rounding included: see exactGain in exact-multiplier-bound.ts. */
export function gainOf(option: Option, { target, vaults, legs }: Multipliers, objective: Objective): number {
  const unit = target - (vaults[option.vault] as number)
  const price = legs[option.vault] as number
  if (objective === 'advance') return unit * (unit > 0 ? option.hiFloat : option.loFloat) - price
  const { slope, hiFloat, costHiFloat } = option
  if (unit <= slope) return (unit - slope) * option.loFloat - price
  return Math.max(unit * hiFloat - costHiFloat, (costHiFloat - 1) * (unit / slope - 1)) - price
}

/** The legs of a vault that a price on them is paid for: the most in the domain if it is positive, else the least. */
export function legsAt({ legs }: Domain, vault: number, maxLegs: number, isPositive: boolean): number {
  const { least, most } = legs.get(vault) ?? { least: 0, most: maxLegs }
  return isPositive ? most : least
}

export function choose(
  domain: Domain,
  maxLegs: number,
  multipliers: Multipliers,
  objective: Objective,
): Choice {
  const required: OptionGain[] = []
  const open: OptionGain[] = []
  for (const list of domain.options) {
    const best = bestOf(list, multipliers, objective)
    if (best === undefined) continue
    if (domain.required[best.option.claim] === true) required.push(best)
    else if (best.gain > 0) open.push(best)
  }
  open.sort((a, b) => b.gain - a.gain || a.option.claim - b.option.claim)
  const legs = Math.max(0, maxLegs - required.length)
  const chosen = [...required, ...open.slice(0, legs)]
  let ceiling = 0
  for (const { gain } of chosen) ceiling += gain
  for (let vault = 0; vault < domain.problem.liquidityFloat.length; vault++)
    ceiling += (multipliers.vaults[vault] as number) * (domain.problem.liquidityFloat[vault] as number)
  for (let vault = 0; vault < multipliers.legs.length; vault++) {
    const price = multipliers.legs[vault] as number
    if (price !== 0) ceiling += price * legsAt(domain, vault, maxLegs, price > 0)
  }
  return { ceiling, chosen, displaced: open[legs - 1]?.gain ?? 0, next: open[legs]?.gain ?? 0 }
}

function bestOf(
  list: readonly Option[],
  multipliers: Multipliers,
  objective: Objective,
): OptionGain | undefined {
  let best: Option | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const option of list) {
    const gain = gainOf(option, multipliers, objective)
    if (gain > most) [best, most] = [option, gain]
  }
  if (best === undefined) return undefined
  const unit =
    multipliers.target - (multipliers.vaults[best.vault] as number) - (objective === 'cost' ? best.slope : 0)
  return { option: best, gain: most, advance: unit > 0 ? best.hiFloat : best.loFloat }
}

/** The aim of an ascent: t * target - ceilingOn(t, u) above `level` proves that no route costs `level` or less. */
export type Aim = {
  readonly target: bigint
  readonly level: bigint
  readonly objective: Objective
  readonly maxLegs: number
}

export type Ascent = {
  readonly multipliers: Multipliers
  readonly value: number
  /** Every choice seen on the way, each better than those before. */
  readonly best: Choice
  /** Average legs of each vault in the choices seen, where later ones count more: a guide to branching. */
  readonly averageLegs: Float64Array
}

/** Steps of an ascent, at most, unless it goes on from good multipliers. */
const ITERATIONS = 200

/** Least weight of the last choice in the average. */
const LAST_WEIGHT = 0.06

/** Steps without progress after which the step length is halved. */
const PATIENCE = 6

/** Bounds nothing: every choice is better. */
const NO_CHOICE: Choice = { ceiling: Number.POSITIVE_INFINITY, chosen: [], displaced: 0, next: 0 }

/**
 * Maximizes t * target - ceilingOn(t, u) by subgradient steps of Polyak's length towards the level. Any multipliers
 * give a valid bound, so that nothing rests on how far this comes.
 */
export function ascend(
  domain: Domain,
  aim: Aim,
  from: Multipliers,
  budget: WorkBudget,
  iterations = ITERATIONS,
): Ascent {
  const { maxLegs, objective } = aim
  const [target, level] = [Number(aim.target), Number(aim.level)]
  const options = domain.options.reduce((sum, list) => sum + list.length, 0)
  const goal = level + 1 + NEAR * Math.abs(level)
  const averageLegs = new Float64Array(domain.problem.vaults.length)
  let best: Ascent = { multipliers: from, value: Number.NEGATIVE_INFINITY, best: NO_CHOICE, averageLegs }
  let multipliers = from
  let length = 1
  let idle = 0
  for (let step = 0; step < iterations; step++) {
    spend(budget, 'ascentOption', options)
    const choice = choose(domain, maxLegs, multipliers, objective)
    addToAverage(averageLegs, choice, Math.max(1 / (step + 1), LAST_WEIGHT))
    const value = multipliers.target * target - choice.ceiling
    if (value > best.value) {
      best = { multipliers, value, best: choice, averageLegs }
      idle = 0
    } else if (++idle % PATIENCE === 0) length /= 2
    const slopes = value < goal ? subgradient(domain, aim, choice, multipliers) : undefined
    if (slopes === undefined || slopes.norm === 0) break
    multipliers = moved(multipliers, slopes, (length * (goal - value)) / slopes.norm)
  }
  return best
}

function addToAverage(average: Float64Array, { chosen }: Choice, weight: number): void {
  average.forEach((legs, vault) => {
    average[vault] = legs * (1 - weight)
  })
  for (const { option } of chosen) average[option.vault] = (average[option.vault] as number) + weight
}

type Slopes = Multipliers & { readonly scale: number; readonly norm: number }

/** The subgradient at a choice, and the square of its length. A price on legs moves towards the range of the vault. */
function subgradient(domain: Domain, aim: Aim, { chosen }: Choice, at: Multipliers): Slopes {
  const vaults = new Float64Array(at.vaults.length)
  let reached = 0
  for (const { option, advance } of chosen) {
    vaults[option.vault] = (vaults[option.vault] as number) + advance
    reached += advance
  }
  const wanted = Number(aim.target)
  const missing = aim.objective === 'cost' ? wanted - reached : 0
  const target = missing < 0 && at.target === 0 ? 0 : missing
  let norm = target * target
  for (let vault = 0; vault < vaults.length; vault++) {
    const over = (vaults[vault] as number) - (domain.problem.liquidityFloat[vault] as number)
    const kept = over < 0 && at.vaults[vault] === 0 ? 0 : over
    vaults[vault] = kept
    norm += kept * kept
  }
  // An advance per leg, so that a price on legs moves as fast as one on liquidity.
  const scale = wanted / aim.maxLegs
  const legs = new Float64Array(at.legs.length)
  for (const [vault, { least, most }] of domain.legs) {
    const count = chosen.filter(({ option }) => option.vault === vault).length
    const [over, under] = [count - most, count - least]
    const price = at.legs[vault] as number
    const excess = price > 0 ? over : price < 0 ? under : Math.max(0, over) + Math.min(0, under)
    legs[vault] = excess
    norm += (excess * scale) ** 2
  }
  return { target, vaults, legs, scale, norm }
}

/** Only prices on legs fall below 0. */
function moved({ target, vaults, legs }: Multipliers, slopes: Slopes, stride: number): Multipliers {
  const { scale } = slopes
  return {
    target: Math.max(0, target + stride * slopes.target),
    vaults: vaults.map((price, vault) => Math.max(0, price + stride * (slopes.vaults[vault] as number))),
    legs: legs.map((price, vault) => price + stride * (slopes.legs[vault] as number) * scale * scale),
  }
}
