/**
 * How much of a vault's liquidity a plan may use. The optimizer counts advances at `rateBps`, which is rounded up and
 * holds for the pinned block; the router will pay at the true rate, at the latest a day boundary further on, so a
 * little more.
 */

import { ceilDiv, compare, larger, smaller, sum } from '../domain/bigint.ts'
import { advanceOf } from '../domain/discount.ts'
import { BPS_DENOMINATOR, MAX_LEGS } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'

/** One claim that a vault may finance: planned at `rateBps`, paid at no less than `lowestBps`, up to `maxFace`. */
export type Exposure = { rateBps: bigint; lowestBps: bigint; maxFace: BaseUnits }

/**
 * Computes the largest sum of planned advances of which no choice of at most eight legs can cost the vault more than
 * `liquidity` when they are paid; with 0 no leg at all is safe, not even one planned at no advance. Three bounds hold
 * each on its own; the loosest counts.
 */
export function plannableLiquidity(liquidity: BaseUnits, exposures: readonly Exposure[]): BaseUnits {
  if (mostPaid(exposures) <= liquidity) return liquidity
  const byAmount = liquidity - mostOvershoot(exposures)
  const byRatio = scaledLiquidity(liquidity, exposures)
  return larger(larger(byAmount, byRatio), 0n)
}

/** Largest payment of the vault, with every leg at its maximum. */
function mostPaid(exposures: readonly Exposure[]): BaseUnits {
  return sumOfLargest(exposures.map(({ maxFace, lowestBps }) => advanceOf(maxFace, lowestBps)))
}

/** ceil(x) - ceil(y) ≤ ceil(x - y): a leg is paid at most this much more than planned. */
function mostOvershoot(exposures: readonly Exposure[]): BaseUnits {
  return sumOfLargest(
    exposures.map(({ maxFace, rateBps, lowestBps }) =>
      ceilDiv(maxFace * (rateBps - lowestBps), BPS_DENOMINATOR),
    ),
  )
}

/**
 * A leg planned at advance A has a face below (A + 1) / (1 - rate), so it is paid less than (A + 1) · ρ with ρ = (1 -
 * lowest) / (1 - rate); n legs planned at L' together less than (L' + n) · ρ, which L' = (L + 1) / ρ - n keeps within
 * L.
 */
function scaledLiquidity(liquidity: BaseUnits, exposures: readonly Exposure[]): BaseUnits {
  const drifting = exposures.filter(({ rateBps, lowestBps }) => lowestBps < rateBps)
  const legs = BigInt(Math.min(drifting.length, MAX_LEGS))
  const scaled = drifting.map(
    ({ rateBps, lowestBps }) =>
      ((liquidity + 1n) * (BPS_DENOMINATOR - rateBps)) / (BPS_DENOMINATOR - lowestBps),
  )
  return scaled.reduce(smaller, liquidity + legs) - legs
}

function sumOfLargest(amounts: readonly BaseUnits[]): BaseUnits {
  return sum(amounts.toSorted((a, b) => compare(b, a)).slice(0, MAX_LEGS))
}
