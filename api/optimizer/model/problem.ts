import type { Address, Hex } from 'viem'
import { ceilDiv, larger } from '../../domain/bigint.ts'

/**
 * A candidate restated in advances. Any advance between `lo` and `hi` can be hit, at cost
 * `max(costLo, ceil(advance * rate / keep))`; a larger face for the same advance only costs more.
 */
export type Option = {
  readonly claim: number
  readonly vault: number
  /** The options of its issuer in this vault, where they have a limit together. */
  readonly group: number | undefined
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

/** The options of one issuer in a vault, where together they could exceed the issuer's limit there. */
export type Group = { readonly vault: number; readonly maxFace: bigint }

/**
 * Claims and vaults are numbered in id order, so comparing numbers of claims, or of the vaults of a claim, compares
 * ids. A vault with several numbers is divided among its groups: see groups.ts.
 */
export type Problem = {
  readonly claims: readonly Hex[]
  readonly vaults: readonly Address[]
  readonly liquidity: readonly bigint[]
  /** Floats of these amounts, for relaxations that whole numbers check. */
  readonly liquidityFloat: readonly number[]
  /** Per claim, sorted by vault, then by the remaining fields: a total order. */
  readonly options: readonly (readonly Option[])[]
  readonly groups: readonly Group[]
}

/** Distinct claims up to which the search is exact. Interface specification, section 8. */
export const EXACT_SEARCH_MAX_CLAIMS = 12

export const isMany = ({ claims }: Problem): boolean => claims.length > EXACT_SEARCH_MAX_CLAIMS

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
