import type { Address, Hex } from 'viem'
import { ceilDiv, compare, larger, smaller } from '../../domain/bigint.ts'
import { advanceOf, faceForAdvance } from '../../domain/discount.ts'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import { InvalidOptimizeInput } from './errors.ts'
import type { Candidate, OptimizeInput } from './types.ts'

/**
 * A candidate restated in advances. Any advance between `lo` and `hi` can be hit, at cost
 * `max(costLo, ceil(advance * rate / keep))`; a larger face for the same advance only costs more.
 */
export type Option = {
  readonly claim: number
  readonly vault: number
  readonly rate: bigint
  /** 10000 - rate: what is left of 10000 units of face after the discount. */
  readonly keep: bigint
  readonly minFace: bigint
  readonly lo: bigint
  readonly hi: bigint
  readonly costLo: bigint
  readonly costHi: bigint
  /** rate / keep, lo, hi and costHi again as floats: for coarse relaxations only. */
  readonly slope: number
  readonly loFloat: number
  readonly hiFloat: number
  readonly costHiFloat: number
}

/** Claims and vaults are numbered in id order, so comparing numbers compares ids. */
export type Problem = {
  readonly claims: readonly Hex[]
  readonly vaults: readonly Address[]
  readonly liquidity: readonly bigint[]
  /** Floats of these amounts, for relaxations that whole numbers check. */
  readonly liquidityFloat: readonly number[]
  /** Per claim, sorted by vault, then by the remaining fields: a total order. */
  readonly options: readonly (readonly Option[])[]
}

/** Cost of the cheapest face that advances `advance` within the option's lot. */
export function costOfAdvance(option: Option, advance: bigint): bigint {
  return larger(proportionalCost(option, advance), option.costLo)
}

/** The cost of an advance were there no least lot: less than one unit above the linear cost. */
export function proportionalCost(option: Option, advance: bigint): bigint {
  return ceilDiv(advance * option.rate, option.keep)
}

/** How much more the least lot costs than its advance alone would: at high rates many faces advance the same. */
export function excessAtLeastLot(option: Option): bigint {
  return option.costLo - proportionalCost(option, option.lo)
}

/** Face of that cheapest lot. */
export function faceOfAdvance(option: Option, advance: bigint): bigint {
  return advance + costOfAdvance(option, advance)
}

export function buildProblem(input: OptimizeInput): Problem {
  assertInput(input)
  const claims = [...new Set(input.candidates.map((candidate) => candidate.claimId))].sort(compare)
  const vaults = [...new Set(input.candidates.map((candidate) => candidate.vault))].sort(compare)
  const liquidity = vaults.map((vault) => input.vaultLiquidity.get(vault) ?? 0n)
  const claimNumber = new Map(claims.map((claimId, index) => [claimId, index]))
  const vaultNumber = new Map(vaults.map((vault, index) => [vault, index]))
  const options: Option[][] = claims.map(() => [])
  for (const candidate of input.candidates) {
    const claim = claimNumber.get(candidate.claimId) ?? 0
    const vault = vaultNumber.get(candidate.vault) ?? 0
    const option = toOption(candidate, claim, vault, liquidity[vault] ?? 0n)
    if (option !== undefined) options[claim]?.push(option)
  }
  const liquidityFloat = liquidity.map(Number)
  return {
    claims,
    vaults,
    liquidity,
    liquidityFloat,
    options: options.map((list) => list.sort(compareOptions)),
  }
}

/**
 * Undefined when no useful lot exists: the mandate's bounds cross, the least lot overruns the vault, or nothing is
 * ever advanced. A leg that advances nothing is never part of a best route: without it the route has fewer legs and
 * costs no more.
 */
function toOption(candidate: Candidate, claim: number, vault: number, liquidity: bigint): Option | undefined {
  const { rateBps: rate, maxFace } = candidate
  if (rate >= BPS_DENOMINATOR) return undefined
  const leastUsefulFace = faceForAdvance(1n, rate)
  const minFace = larger(candidate.minFace, leastUsefulFace)
  if (minFace > maxFace) return undefined
  const lo = advanceOf(minFace, rate)
  const hi = smaller(advanceOf(maxFace, rate), liquidity)
  if (lo > hi) return undefined
  const keep = BPS_DENOMINATOR - rate
  const costLo = minFace - lo
  const costHi = larger(ceilDiv(hi * rate, keep), costLo)
  const floats = {
    slope: Number(rate) / Number(keep),
    loFloat: Number(lo),
    hiFloat: Number(hi),
    costHiFloat: Number(costHi),
  }
  return { claim, vault, rate, keep, minFace, lo, hi, costLo, costHi, ...floats }
}

function compareOptions(a: Option, b: Option): number {
  return a.vault - b.vault || compare(a.rate, b.rate) || compare(a.minFace, b.minFace) || compare(a.hi, b.hi)
}

function assertInput(input: OptimizeInput): void {
  if (input.targetAdvance <= 0n)
    throw new InvalidOptimizeInput('targetAdvance', input.targetAdvance, 'at least 1')
  assertNotNegative('maxTotalFace', input.maxTotalFace ?? 0n)
  assertNotNegative('maxTotalCost', input.maxTotalCost ?? 0n)
  for (const candidate of input.candidates) {
    assertNotNegative('rateBps', candidate.rateBps)
    assertNotNegative('minFace', candidate.minFace)
    assertNotNegative('maxFace', candidate.maxFace)
  }
}

function assertNotNegative(field: string, given: bigint): void {
  if (given < 0n) throw new InvalidOptimizeInput(field, given, 'at least 0')
}
