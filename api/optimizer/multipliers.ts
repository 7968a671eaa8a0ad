import type { Domain } from './domain.ts'
import type { Fuse } from './fuse.ts'
import type { Option, Problem } from './problem.ts'

/**
 * A relaxation for any number of claims: target and liquidity are dualized, the leg limit and one vault per claim stay exact.
 * With multipliers t, u >= 0 for a unit of target and of each vault's liquidity, every route satisfies
 *   t * advance - cost <= ceilingOn(t, u) = sum of u * liquidity + the best choice of claims of (t - u - slope) * advance.
 * Proof: the route's own legs are one such choice, and they use at most the liquidity, which u >= 0 prices.
 * `counts` is 'cost', or 'advance' for the same without the cost, t = 1: an upper bound on the advance itself.
 */
export type Multipliers = { readonly target: number; readonly vaults: Float64Array }
export type Counts = 'cost' | 'advance'

export type Weighed = {
  readonly option: Option
  /** (t - u - slope) * advance at the better end of the lot. */
  readonly gain: number
  readonly advance: number
}

/** The best choice of claims under some multipliers. */
export type Choice = {
  readonly ceiling: number
  readonly chosen: readonly Weighed[]
  /** The gain that a claim has to exceed to displace a chosen one: 0 while legs are left. */
  readonly displaced: number
  /** The gain that takes the place of a chosen claim that is taken out. */
  readonly next: number
}

export const noMultipliers = (problem: Problem, target: number): Multipliers => ({
  target,
  vaults: new Float64Array(problem.vaults.length),
})

/** What an option gains at most, rounding included: see exactGain in exact-bound.ts. */
export function gainOf(option: Option, { target, vaults }: Multipliers, counts: Counts): number {
  const unit = target - (vaults[option.vault] as number)
  if (counts === 'advance') return unit * (unit > 0 ? option.hiFloat : option.loFloat)
  const { slope, hiFloat, costHiFloat } = option
  if (unit <= slope) return (unit - slope) * option.loFloat
  return Math.max(unit * hiFloat - costHiFloat, (costHiFloat - 1) * (unit / slope - 1))
}

export function choose(
  problem: Problem,
  domain: Domain,
  maxLegs: number,
  multipliers: Multipliers,
  counts: Counts,
): Choice {
  const required: Weighed[] = []
  const open: Weighed[] = []
  domain.options.forEach((list, claim) => {
    const best = bestOf(list, multipliers, counts)
    if (best === undefined) return
    if (domain.required[claim] === true) required.push(best)
    else if (best.gain > 0) open.push(best)
  })
  open.sort((a, b) => b.gain - a.gain || a.option.claim - b.option.claim)
  const legs = Math.max(0, maxLegs - required.length)
  const chosen = [...required, ...open.slice(0, legs)]
  let ceiling = chosen.reduce((sum, { gain }) => sum + gain, 0)
  problem.liquidity.forEach((_, vault) => {
    ceiling += (multipliers.vaults[vault] as number) * (problem.liquidityFloat[vault] as number)
  })
  return { ceiling, chosen, displaced: open[legs - 1]?.gain ?? 0, next: open[legs]?.gain ?? 0 }
}

function bestOf(list: readonly Option[], multipliers: Multipliers, counts: Counts): Weighed | undefined {
  let best: Option | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const option of list) {
    const gain = gainOf(option, multipliers, counts)
    if (gain > most) [best, most] = [option, gain]
  }
  if (best === undefined) return undefined
  const unit =
    multipliers.target - (multipliers.vaults[best.vault] as number) - (counts === 'cost' ? best.slope : 0)
  return { option: best, gain: most, advance: unit > 0 ? best.hiFloat : best.loFloat }
}

/** What the multipliers are improved for: t * target - ceilingOn(t, u) above `level` proves that no route costs `level` or less. */
export type Aim = { readonly target: number; readonly level: number; readonly counts: Counts }

export type Ascent = {
  readonly multipliers: Multipliers
  readonly value: number
  /** Every choice seen on the way, each better than those before. */
  readonly best: Choice
}

/** Table steps that one option takes. */
const OPTION = 6
/** Steps without progress after which the step length is halved. */
const PATIENCE = 6

/**
 * Maximizes t * target - ceilingOn(t, u) by subgradient steps of Polyak's length towards the level. Any multipliers give a valid
 * bound, so that nothing rests on how far this comes.
 */
export function ascend(
  problem: Problem,
  domain: Domain,
  maxLegs: number,
  aim: Aim,
  from: Multipliers,
  iterations: number,
  fuse: Fuse,
): Ascent {
  const options = domain.options.reduce((sum, list) => sum + list.length, 0)
  const vaults = Float64Array.from(from.vaults)
  const used = new Float64Array(vaults.length)
  let target = from.target
  let best: Ascent | undefined
  let length = 1
  let idle = 0
  for (let step = 0; step < iterations; step++) {
    fuse.steps -= options * OPTION
    const choice = choose(problem, domain, maxLegs, { target, vaults }, aim.counts)
    const value = target * aim.target - choice.ceiling
    if (best === undefined || value > best.value) {
      best = { multipliers: { target, vaults: Float64Array.from(vaults) }, value, best: choice }
      idle = 0
    } else if (++idle % PATIENCE === 0) length /= 2
    const goal = aim.level + 1 + 1e-9 * Math.abs(aim.level)
    if (value >= goal) break
    const advance = usage(choice, used)
    const slopes = gradient(problem, aim, vaults, target, used, advance)
    if (slopes.norm === 0) break
    const stride = (length * (goal - value)) / slopes.norm
    target = Math.max(0, target + stride * slopes.target)
    for (let vault = 0; vault < vaults.length; vault++)
      vaults[vault] = Math.max(0, (vaults[vault] as number) + stride * (used[vault] as number))
  }
  return (
    best ?? {
      multipliers: from,
      value: Number.NEGATIVE_INFINITY,
      best: choose(problem, domain, maxLegs, from, aim.counts),
    }
  )
}

/** Fills in what a choice takes from each vault; the sum is its advance. */
function usage({ chosen }: Choice, used: Float64Array): number {
  used.fill(0)
  let advance = 0
  for (const { option, advance: own } of chosen) {
    used[option.vault] = (used[option.vault] as number) + own
    advance += own
  }
  return advance
}

/** The subgradient; that of the vaults takes the place of `used`. */
function gradient(
  problem: Problem,
  aim: Aim,
  vaults: Float64Array,
  target: number,
  used: Float64Array,
  advance: number,
): { target: number; norm: number } {
  const own = aim.counts === 'cost' ? aim.target - advance : 0
  const slope = own < 0 && target === 0 ? 0 : own
  let norm = slope * slope
  for (let vault = 0; vault < vaults.length; vault++) {
    const over = (used[vault] as number) - (problem.liquidityFloat[vault] as number)
    const kept = over < 0 && vaults[vault] === 0 ? 0 : over
    used[vault] = kept
    norm += kept * kept
  }
  return { target: slope, norm }
}
