import { type Address, formatUnits } from 'viem'
import type { TokenInfo } from '../../deployments/manifest.ts'
import type { BaseUnits } from '../domain/money.ts'

/** Writes an amount in words: in units with symbol where the manifest has the token, and always in base units. */
export function amountInWords(tokens: readonly TokenInfo[], token: Address, amount: BaseUnits): string {
  const known = tokens.find(({ address }) => address === token)
  if (!known) return `${amount} base units of token ${token}`
  return `${formatUnits(amount, known.decimals)} ${known.symbol} (${amount} base units)`
}
