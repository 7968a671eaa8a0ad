/**
 * Amounts between base units, as in the APIs, and units of their token, as shown to people. Exact: no floating point is
 * involved.
 */
import { formatUnits, parseUnits } from 'viem'
import type { Amount } from './scalars.ts'

/** The unit of an amount. */
export type TokenUnit = {
  /** 10^decimals base units are one unit of the token. */
  decimals: number
  symbol?: string
}

export type AmountFormat = {
  /** Default: that of the browser. */
  locale?: string | undefined
  /** Most digits after the decimal point; further ones are cut off, so that no amount looks larger. Default: all. */
  digits?: number | undefined
  /** Shortens the number with the suffix of the locale: `1.25M`. The default of `digits` is then 2. */
  compact?: boolean | undefined
}

/**
 * An amount in units of its token with the separators of the locale, and the symbol: `25,000.50 HUSD`. At least two
 * digits after the decimal point are shown if the token has them. The shown digits are exact.
 */
export function formatAmount(
  amount: bigint | string,
  { decimals, symbol }: TokenUnit,
  { locale, compact = false, digits = compact ? 2 : decimals }: AmountFormat = {},
): string {
  // A compact number has digits after the decimal point also where the token has none: 1.5M.
  const most = Math.max(0, Math.min(digits, compact ? digits : decimals, DIGITS_MAX))
  const format = new Intl.NumberFormat(locale, {
    notation: compact ? 'compact' : 'standard',
    minimumFractionDigits: compact ? 0 : Math.min(2, most),
    maximumFractionDigits: most,
    roundingMode: 'trunc',
    // Zero has no sign, also where the digits of a negative amount are cut off.
    signDisplay: 'negative',
    numberingSystem: 'latn',
  })
  const number = format.format(toDecimal(amount, decimals))
  return symbol ? `${number} ${symbol}` : number
}

/** `Intl` shows no more. */
const DIGITS_MAX = 100

/** Text, which `Intl` formats exactly. */
function toDecimal(amount: bigint | string, decimals: number): `${number}` {
  const text = formatUnits(BigInt(amount), decimals)
  if (amount === '' || !isDecimal(text)) throw new RangeError(`"${amount}" is not an amount in base units.`)
  return text
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text)
}

/**
 * @param text in units of the token with a decimal point, such as `25000.5` @throws RangeError for any other text, and
 * for more decimals than the token has
 */
export function parseAmount(text: string, { decimals }: TokenUnit): Amount {
  const parts = /^\d+(?:\.(\d+))?$/.exec(text)
  if (!parts)
    throw new RangeError(`"${text}" is not an amount: write digits and a decimal point, such as 25000.5.`)
  const [, fraction = ''] = parts
  if (fraction.length > decimals)
    throw new RangeError(`"${text}" has ${fraction.length} decimals; the token has ${decimals}.`)
  return `${parseUnits(text, decimals)}`
}
