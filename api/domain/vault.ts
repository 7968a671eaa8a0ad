import { BPS_DENOMINATOR } from './limits.ts'
import type { BaseUnits } from './money.ts'

type Capital = { idleAssets: BaseUnits; outstandingAdvance: BaseUnits }

/** Idle assets plus outstanding advances, at cost. */
export function totalAssets({ idleAssets, outstandingAdvance }: Capital): BaseUnits {
  return idleAssets + outstandingAdvance
}

/** outstandingAdvance over totalAssets in basis points, rounded down; 0 where there are no assets. */
export function utilizationBps(capital: Capital): number {
  const total = totalAssets(capital)
  return total === 0n ? 0 : Number((capital.outstandingAdvance * BPS_DENOMINATOR) / total)
}
