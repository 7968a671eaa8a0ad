import { type Amount, parseAmount, type TokenUnit } from 'claim-financing-client'

/** @returns base units; undefined if the text is no amount above zero */
export function amountOf(text: string, token: TokenUnit): Amount | undefined {
  try {
    const amount = parseAmount(text, token)
    return BigInt(amount) > 0n ? amount : undefined
  } catch {
    return undefined
  }
}
