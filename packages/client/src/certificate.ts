/** The certificate of a route: a lower bound on the cost of every route, which anyone can compute. */
import type { components } from './generated/api.ts'

export type RouteCertificate = components['schemas']['RouteCertificate']

const MAX_LEGS = 8
const BPS = 10_000n
/** Multipliers are in multiples of 2^-60. */
const ONE = 1n << 60n

/**
 * Computes the cost below which the certificate proves that there is no route, base units. A route that costs as much,
 * or a unit more, is the cheapest one, or almost.
 *
 * Every route has at most one leg for each claim, at most 8 legs, and takes at most its liquidity from each vault. With
 * t and u the multipliers of target and liquidity, none of them negative, the cost of a route is therefore at least
 *
 *     t * targetAdvance - sum of u * liquidity - sum over its legs of ((t - u) * advance - cost).
 *
 * A leg of discount r costs at least r of its face, so the last sum is at most that of the 8 largest gains of claims.
 *
 * @throws RangeError for a negative multiplier, which proves nothing
 */
export function leastCostOf(
  { multiplier, vaults, candidates }: RouteCertificate,
  targetAdvance: string | bigint,
): bigint {
  const target = notNegative(multiplier)
  const priced = new Map(vaults.map(({ vault, ...own }) => [vault, own]))
  const gains = new Map<string, bigint>()
  for (const { claimId, vault, discountBps, maxFaceAmount } of candidates) {
    const { liquidity = '0', multiplier: price = '0' } = priced.get(vault) ?? {}
    const rate = BigInt(discountBps)
    // The gain of a unit of face, times 10,000.
    const unit = (target - notNegative(price)) * (BPS - rate) - ONE * rate
    if (unit <= 0n || rate >= BPS) continue
    const [gain = 0n] = [
      ceilDiv(unit * BigInt(maxFaceAmount), BPS),
      ceilDiv(unit * BigInt(liquidity), BPS - rate),
    ].sort(ascending)
    if (gain > (gains.get(claimId) ?? 0n)) gains.set(claimId, gain)
  }
  const best = [...gains.values()].sort(ascending).slice(-MAX_LEGS)
  const paid = vaults.map((vault) => notNegative(vault.multiplier) * BigInt(vault.liquidity))
  const least = ceilDiv(target * BigInt(targetAdvance) - sum(paid) - sum(best), ONE)
  return least > 0n ? least : 0n
}

function notNegative(multiplier: string): bigint {
  const value = BigInt(multiplier)
  if (value < 0n) throw new RangeError('a multiplier of a certificate is negative')
  return value
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** @param divisor positive */
function ceilDiv(amount: bigint, divisor: bigint): bigint {
  return amount > 0n ? (amount + divisor - 1n) / divisor : amount / divisor
}
