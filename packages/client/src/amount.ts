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

/**
 * All digits of an amount with the separators of the locale, and the symbol: `25,000.50 HUSD`.
 *
 * @param locale Default: that of the browser.
 */
export function formatAmount(
  amount: bigint | string,
  { decimals, symbol }: TokenUnit,
  locale?: string,
): string {
  const [whole = '0', fraction = ''] = formatUnits(BigInt(amount), decimals).split('.')
  const digits = fraction.padEnd(Math.min(2, decimals), '0')
  const number = localized(whole, digits, locale)
  return symbol ? `${number} ${symbol}` : number
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

/** The whole part is grouped as a bigint, so it is exact; the digits of the fraction replace those of a sample. */
function localized(whole: string, fraction: string, locale: string | undefined): string {
  const isNegative = whole.startsWith('-')
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: fraction ? 1 : 0,
    numberingSystem: 'latn',
  })
  const parts = format.formatToParts(BigInt(isNegative ? whole.slice(1) : whole))
  const text = parts.map(({ type, value }) => (type === 'fraction' ? fraction : value)).join('')
  return isNegative ? `-${text}` : text
}
