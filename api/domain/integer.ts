import { z } from '@hono/zod-openapi'
import {
  BPS_DENOMINATOR,
  CLAIM_TYPE_MAX,
  MAX_LEGS,
  MAX_SLICES_PER_CLAIM,
  SHARE_DIGITS,
  TOKEN_DECIMALS,
} from './limits.ts'

/** Presents a whole number as a JSON number; beyond 2^53-1, where a JSON number is not exact, that bound. */
export function safeNumber(value: bigint): number {
  return value < Number.MAX_SAFE_INTEGER ? Number(value) : Number.MAX_SAFE_INTEGER
}

const upTo = (maximum: number) => z.int().min(0).max(maximum)

/** The number of a block, a count, a time in seconds: as `safeNumber` writes it. */
export const wholeNumber = upTo(Number.MAX_SAFE_INTEGER)
/** A part of a whole. */
export const basisPoints = upTo(Number(BPS_DENOMINATOR))
/** The change of a price that is never negative. */
export const changeBps = z.int().min(-Number(BPS_DENOMINATOR)).max(Number.MAX_SAFE_INTEGER)
export const uint16 = upTo(2 ** 16 - 1)
export const uint32 = upTo(2 ** 32 - 1)
export const chainIdNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
export const claimTypeNumber = upTo(CLAIM_TYPE_MAX)
export const sliceCount = upTo(MAX_SLICES_PER_CLAIM)
export const sliceIndex = upTo(MAX_SLICES_PER_CLAIM - 1)
export const legIndex = upTo(MAX_LEGS - 1)
export const tokenDecimals = upTo(TOKEN_DECIMALS.max)
export const shareDecimals = upTo(TOKEN_DECIMALS.max + SHARE_DIGITS)
