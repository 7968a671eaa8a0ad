import type { Address, Hex } from 'viem'
import type { Candidate } from '../../api/optimizer/index.ts'

/** The parts that markets of the benchmark are drawn from. Amounts are base units. */
export type Claim = { face: number; days: number; type: number }
export type Vault = {
  base: number
  perDay: number
  premium: number[]
  types: number
  maxDays: number
  min: number
  max: number
}

const id = (prefix: string, index: number, digits: number): Hex =>
  `0x${prefix}${index.toString(16).padStart(digits - 2, '0')}`
const claimIdOf = (index: number): Hex => id('c1', index, 64)
const vaultOf = (index: number): Address => id('a1', index, 40)

/** The mandate's rules for one pair, as the gateway applies them before it optimizes. */
function quote(claim: Claim, vault: Vault, claimIndex: number, vaultIndex: number): Candidate[] {
  if ((vault.types & (1 << claim.type)) === 0 || claim.days > vault.maxDays) return []
  const max = Math.min(vault.max, claim.face)
  if (max < vault.min) return []
  const rate = vault.base + vault.perDay * claim.days + (vault.premium[claim.type] ?? 0)
  return [candidate(claimIndex, vaultIndex, rate, vault.min, max)]
}

export function candidate(claim: number, vault: number, rate: number, min: number, max: number): Candidate {
  return {
    claimId: claimIdOf(claim),
    vault: vaultOf(vault),
    rateBps: BigInt(rate),
    minFace: BigInt(min),
    maxFace: BigInt(max),
  }
}

export function quoteAll(claims: readonly Claim[], vaults: readonly Vault[]): Candidate[] {
  return claims.flatMap((claim, c) => vaults.flatMap((vault, v) => quote(claim, vault, c, v)))
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export function liquidityOf(vaults: number, draw: (index: number) => number): Map<Address, bigint> {
  return new Map(times(vaults, (index) => [vaultOf(index), BigInt(Math.round(draw(index)))]))
}
