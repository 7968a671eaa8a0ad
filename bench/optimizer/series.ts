import type { OptimizeInput } from '../../api/optimizer/index.ts'
import type { Dice } from '../../test/support/dice.ts'
import { type Claim, liquidityOf, quoteAll, times, type Vault } from './market.ts'

/**
 * How alike the claims of a series are: in face and due date, in the due date alone with faces within 40 % of each
 * other, or in neither.
 */
export type Likeness = 'equal' | 'near-equal' | 'near-equal, several dates'

/** Legs of a route. */
const MAX_LEGS = 8
const DOLLAR = 1_000_000

/**
 * A holder's series of alike invoices and a handful of vaults: the first one cheap with small lots, liquidity scarce,
 * and a target between an easy and a hopeless one.
 */
export function series(likeness: Likeness): (dice: Dice, claims: number, vaults: number) => OptimizeInput {
  return (dice, claims, vaults) => {
    const mean = dice.between(20_000, 200_000) * DOLLAR
    const drawn = times(claims, () => drawClaim(dice, likeness, mean))
    const terms = times(vaults, (index) => drawVault(dice, index, mean))
    const candidates = quoteAll(drawn, terms)
    const liquidity = scarce(dice, vaults, mean)
    const reach = reachOf(drawn, terms, [...liquidity.values()].map(Number))
    return {
      candidates,
      vaultLiquidity: liquidity,
      targetAdvance: BigInt(Math.max(1, Math.round(reach * drawTarget(dice)))),
    }
  }
}

function drawClaim(dice: Dice, likeness: Likeness, mean: number): Claim {
  const face = likeness === 'equal' ? mean : Math.round(mean * (1 + 0.4 * dice.unit()))
  const days = likeness === 'near-equal, several dates' ? dice.between(30, 42) : 30
  return { face, days, type: 0 }
}

/** Rates mostly between 80 and 300 bps; small lots are a third to nine tenths of a claim. */
function drawVault(dice: Dice, index: number, mean: number): Vault {
  const isSmall = index === 0 || dice.chance(0.3)
  const max = Math.round(mean * (isSmall ? 0.3 + 0.6 * dice.unit() : 1 + 3 * dice.unit()))
  const min = dice.chance(0.5) ? 100 * DOLLAR : Math.round(max * 0.6 * dice.unit()) + 1
  const base = index === 0 ? dice.between(80, 110) : dice.between(105, 250)
  return { base, perDay: dice.between(0, 2), premium: [0], types: 1, maxDays: 365, min, max }
}

/** Between half and five quarters of what eight claims ask for, shared out at random. */
function scarce(dice: Dice, vaults: number, mean: number) {
  const shares = times(vaults, () => 0.2 + dice.unit())
  const all = shares.reduce((sum, share) => sum + share, 0)
  const total = MAX_LEGS * mean * (0.5 + 0.75 * dice.unit())
  return liquidityOf(vaults, (index) => (total * (shares[index] ?? 0)) / all)
}

/** Shares of what can be had: feasible, barely feasible, barely infeasible, and hopeless ones. */
function drawTarget(dice: Dice): number {
  const kind = dice.unit()
  if (kind < 0.4) return 0.3 + 0.65 * dice.unit()
  if (kind < 0.6) return 0.98 + 0.02 * dice.unit()
  if (kind < 0.8) return 1 + 0.02 * dice.unit()
  return 1.02 + 2 * dice.unit()
}

/**
 * About what the eight largest claims advance: over all numbers of legs per vault, each vault with claims of middling
 * size.
 */
function reachOf(claims: readonly Claim[], vaults: readonly Vault[], liquidity: readonly number[]): number {
  const largest = claims.map(({ face }) => face).sort((a, b) => b - a)
  const face = largest.slice(0, MAX_LEGS).reduce((sum, one) => sum + one, 0) / MAX_LEGS
  const most = (index: number, legs: number): number => {
    if (index === vaults.length) return 0
    const lot = Math.min(face, vaults[index]?.max ?? 0) * 0.985
    return Math.max(
      ...times(legs + 1, (own) => Math.min(lot * own, liquidity[index] ?? 0) + most(index + 1, legs - own)),
    )
  }
  return most(0, MAX_LEGS)
}
