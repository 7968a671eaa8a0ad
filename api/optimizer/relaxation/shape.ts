import {
  byVault,
  type Domain,
  fewestBeyond,
  type LegRange,
  largestTogether,
  mostByClaim,
  mostTogether,
} from '../model/domain.ts'
import { capacityOf } from '../model/groups.ts'
import type { Option } from '../model/problem.ts'

/** An option of a claim that competes for a shared vault. */
export type Member = {
  readonly option: Option
  /** Numbers the claim among the contending ones. */
  readonly bit: number
  /** How many legs of other claims it takes at least before the vault cannot take this option's largest lot. */
  readonly blockers: number
}

/** A vault whose liquidity the domain's claims could overrun, or whose legs are counted. Members are sorted by rate. */
export type SharedVault = {
  readonly liquidity: number
  readonly exactLiquidity: bigint
  readonly members: readonly Member[]
  readonly legs: LegRange
}

/**
 * A domain sorted into what is coupled and what is not. Vaults with liquidity for every claim that could use them at
 * once couple nothing: their options are `free`, unless the domain counts the vault's legs.
 */
export type Shape = {
  readonly width: number
  /** Bit of each claim, -1 when it has free options only. */
  readonly bits: readonly number[]
  readonly vaults: readonly SharedVault[]
  readonly free: readonly (readonly Option[])[]
  readonly required: readonly boolean[]
  readonly maxLegs: number
  /** Largest advance of all claims together, were liquidity no matter. */
  readonly most: number
}

/** Reduced cost of one unit of advance through an option: its linear cost less the multiplier. */
export type UnitReducedCost = (option: Option) => number

export function shapeOf(domain: Domain, maxLegs: number): Shape {
  const free: Option[][] = domain.options.map(() => [])
  const shared: [number, Option[], bigint][] = []
  byVault(domain).forEach((options, vault) => {
    const capacity = capacityOf(domain.problem, vault, options)
    if (domain.legs.has(vault) || canOverrun(options, capacity, maxLegs))
      shared.push([vault, options, capacity])
    else for (const option of options) free[option.claim]?.push(option)
  })
  const bits = domain.options.map(() => -1)
  let width = 0
  for (const [, options] of shared) {
    for (const option of options) if (bits[option.claim] === -1) bits[option.claim] = width++
  }
  const vaults = shared.map(([vault, options, exactLiquidity]) => {
    const maxima = mostByClaim(options)
    return {
      liquidity: Number(exactLiquidity),
      exactLiquidity,
      legs: domain.legs.get(vault) ?? { least: 0, most: maxLegs },
      members: options
        .map((option) => ({
          option,
          bit: bits[option.claim] ?? 0,
          blockers: fewestBeyond(exactLiquidity - option.hi, maxima, option.claim),
        }))
        .sort((a, b) => a.option.slope - b.option.slope || a.bit - b.bit),
    }
  })
  return { width, bits, vaults, free, required: domain.required, maxLegs, most: mostTogether(domain) }
}

/** Whether some claims, at most `maxLegs` of them, could together ask for more than the vault has. */
function canOverrun(options: readonly Option[], liquidity: bigint, maxLegs: number): boolean {
  const isAlone = options.every(({ claim }) => claim === options[0]?.claim)
  return !isAlone && largestTogether(mostByClaim(options), maxLegs) > liquidity
}
