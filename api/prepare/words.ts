import { type Address, formatUnits } from 'viem'
import type { TokenInfo } from '../../deployments/manifest.ts'
import { SHARE_DIGITS } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'

/** Writes an amount in words: in units with symbol where the manifest has the token, and always in base units. */
export function amountInWords(tokens: readonly TokenInfo[], token: Address, amount: BaseUnits): string {
  const known = tokens.find(({ address }) => address === token)
  if (!known) return `${amount} base units of token ${token}`
  return `${formatUnits(amount, known.decimals)} ${known.symbol} (${amount} base units)`
}

/** Writes a number of shares in words. @param token of the vault */
export function sharesInWords(tokens: readonly TokenInfo[], token: Address, shares: BaseUnits): string {
  const known = tokens.find(({ address }) => address === token)
  if (!known) return `${shares} base units of shares`
  return `${formatUnits(shares, known.decimals + SHARE_DIGITS)} shares (${shares} base units)`
}
