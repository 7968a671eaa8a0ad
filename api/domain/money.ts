import { z } from '@hono/zod-openapi'
import { SHARE_DIGITS, TOKEN_DECIMALS } from './limits.ts'

/** An amount of a token in its base units, never negative, at most 2^256-1. Decimals are for display only. */
export type BaseUnits = bigint

/** The largest amount a contract can hold. */
export const MAX_UINT256 = 2n ** 256n - 1n

const DIGITS_MAX = MAX_UINT256.toString().length
// Only ASCII digits. \d means the same here, but not in all dialects of regular expressions.
const DECIMAL = /^(0|[1-9][0-9]*)$/
const SIGNED = /^(0|-?[1-9][0-9]*)$/
const WANTED = 'must be a decimal string of base units without sign, fraction, exponent or leading zero'

/** Parses the amount of a text; undefined if it is not valid (interface specification, section 1: money). */
export function parseMoney(text: string): BaseUnits | undefined {
  if (text.length > DIGITS_MAX || !DECIMAL.test(text)) return undefined
  const amount = BigInt(text)
  return amount <= MAX_UINT256 ? amount : undefined
}

export function formatMoney(amount: BaseUnits): string {
  return amount.toString()
}

/** Money as a caller sends it; becomes a bigint. */
export const moneyInput = z
  .string({ error: WANTED })
  .transform((text, context): BaseUnits => {
    const amount = parseMoney(text)
    if (amount !== undefined) return amount
    context.addIssue({ code: 'custom', message: DECIMAL.test(text) ? 'must be at most 2^256-1' : WANTED })
    return z.NEVER
  })
  .openapi({ type: 'string', pattern: DECIMAL.source, maxLength: DIGITS_MAX, example: '1000000' })

/** A difference of amounts; becomes a bigint. */
export const signedMoneyInput = z
  .string()
  .regex(SIGNED, 'must be a decimal string of base units without fraction, exponent or leading zero')
  .max(DIGITS_MAX + 1)
  .transform((text) => BigInt(text))

/** Money that must not be zero. */
export const positiveMoneyInput = moneyInput.refine((amount) => amount > 0n, 'must be greater than 0')

/** A whole number as we write it. */
const decimal = (digits: number) => z.string().regex(DECIMAL).max(digits)

/** Money as we write it. */
export const money = decimal(DIGITS_MAX).openapi('Money', {
  description: 'An amount in base units of its token, as a decimal string.',
  example: '1000000',
})

/** A difference of amounts as we write it. */
export const signedMoney = z
  .string()
  .regex(SIGNED)
  .max(DIGITS_MAX + 1)
  .openapi({ example: '-1000000' })

/**
 * The value of one whole share as we write it: of up to 10^42 base units of shares, of which each is worth less than
 * 2^256.
 */
export const sharePrice = decimal(DIGITS_MAX + TOKEN_DECIMALS.max + SHARE_DIGITS).openapi('SharePrice')
