import { ceilDiv, compare, larger, least, smaller, sum } from '../../domain/bigint.ts'
import type { Domain } from '../model/domain.ts'
import type { Bounds, Objective } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'
import { legsAt, type Multipliers } from './multipliers.ts'
import { quotientUp } from './rounded.ts'

/** Multipliers in whole multiples of 2^-60: doubles between 2^-8 and 2^13 lose nothing. */
const GRAIN = 60n
const ONE = 1n << GRAIN

type ExactMultipliers = {
  readonly target: bigint
  readonly vaults: readonly bigint[]
  readonly legs: readonly bigint[]
}

export const exactly = ({ target, vaults, legs }: Multipliers): ExactMultipliers => ({
  target: scaled(target),
  vaults: Array.from(vaults, scaled),
  legs: Array.from(legs, scaled),
})

const scaled = (value: number): bigint => BigInt(Math.round(value * Number(ONE)))

/** ceilingOn(t, u) of multipliers.ts, times 2^60 and rounded up. Undefined when no route keeps to the domain. */
function exactCeiling(
  domain: Domain,
  maxLegs: number,
  multipliers: ExactMultipliers,
  objective: Objective,
): bigint | undefined {
  let fixed = sum(domain.problem.liquidity.map((amount, vault) => amount * (multipliers.vaults[vault] ?? 0n)))
  for (const [vault, price] of multipliers.legs.entries())
    fixed += price * BigInt(legsAt(domain, vault, maxLegs, price > 0n))
  let legs = maxLegs
  const open: bigint[] = []
  for (const [claim, list] of domain.options.entries()) {
    const gains = list.map(
      (option) => exactGain(option, multipliers, objective) - (multipliers.legs[option.vault] ?? 0n),
    )
    const gain = gains.length === 0 ? undefined : gains.reduce(larger)
    if (domain.required[claim] === true) {
      if (gain === undefined || legs-- === 0) return undefined
      fixed += gain
    } else if (gain !== undefined && gain > 0n) open.push(gain)
  }
  open.sort((a, b) => compare(b, a))
  return fixed + sum(open.slice(0, legs))
}

/**
 * The cost of a leg is a whole number. It is that of the largest lot, or at most one unit less: then the advance is at
 * most cost * keep / rate, and the gain grows with the cost as far as that unit.
 */
function exactGain(option: Option, { target, vaults }: ExactMultipliers, objective: Objective): bigint {
  const unit = target - (vaults[option.vault] ?? 0n)
  if (objective === 'advance') return unit * (unit > 0n ? option.hi : option.lo)
  const slope = unit * option.keep - (option.rate << GRAIN)
  if (slope <= 0n) return unit * option.lo - (option.costLo << GRAIN) + kink(option, unit)
  const largest = unit * option.hi - (option.costHi << GRAIN)
  if (option.costHi === option.costLo) return largest
  return larger(largest, quotientUp((option.costHi - 1n) * slope, option.rate))
}

/** At the cost of the least lot the advance may still grow a little: to costLo * keep / rate, rounded up. */
function kink(option: Option, unit: bigint): bigint {
  if (unit <= 0n || option.rate === 0n) return 0n
  const grown = ceilDiv(option.costLo * option.keep, option.rate)
  return unit * larger(0n, smaller(grown, option.hi) - option.lo)
}

/** No route of the domain that reaches the target costs less. Undefined when none keeps to the domain. */
export function leastCostAt(
  domain: Domain,
  { target, maxLegs }: Pick<Bounds, 'target' | 'maxLegs'>,
  multipliers: Multipliers,
): bigint | undefined {
  const exact = exactly(multipliers)
  const ceiling = exactCeiling(domain, maxLegs, exact, 'cost')
  return ceiling === undefined ? undefined : quotientUp(exact.target * target - ceiling, ONE)
}

/** No route of the domain within the caps advances more. */
export function mostAdvanceAt(
  domain: Domain,
  { maxCost, maxFace, maxLegs }: Omit<Bounds, 'target'>,
  multipliers: Multipliers,
  objective: Objective,
): bigint | undefined {
  const exact = exactly(multipliers)
  const ceiling = exactCeiling(domain, maxLegs, exact, objective)
  if (ceiling === undefined) return 0n
  if (objective === 'advance') return ceiling / ONE
  const t = exact.target
  const limits: bigint[] = []
  // t * advance - cost <= ceiling, with cost <= maxCost, and with cost <= maxFace - advance.
  if (maxCost !== undefined && t > 0n) limits.push(((maxCost << GRAIN) + ceiling) / t)
  if (maxFace !== undefined) limits.push(((maxFace << GRAIN) + ceiling) / (t + ONE))
  return least(limits)
}
