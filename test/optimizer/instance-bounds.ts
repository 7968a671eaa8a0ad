import type { Dice } from '../support/dice.ts'
import type { OracleCandidate, OracleInput } from './oracle.ts'

export const RATE_SETS: readonly [readonly [number, ...number[]], ...(readonly [number, ...number[]])[]] = [
  [500],
  [500, 501],
  [100, 500, 900, 1500],
  [0, 1, 300],
  [2500, 3333, 5000],
  [3333, 3334],
  [7000, 9000, 9999, 10000],
  [0, 100, 1000, 2500, 6000],
]

/** The limit of the enumeration: the product over claims of one plus the number of lots. */
export const MAX_ROUTES = 60_000

/** Adds liquidity, a target and caps: tight and loose ones, caps near the optimum. */
export function withBounds(
  dice: Dice,
  candidates: OracleCandidate[],
  vaults: number,
  shared: boolean,
): OracleInput {
  const reach = candidates.reduce((sum, { max, rate }) => sum + max - Math.ceil((max * rate) / 10_000), 0)
  const liquidity: Record<string, number> = {}
  const tight = shared || dice.chance(0.4)
  for (let vault = 0; vault < vaults; vault++) {
    if (dice.chance(0.05)) continue
    liquidity[`0xa${vault}`] = tight ? dice.between(0, Math.ceil(reach / 2)) : reach
  }
  const target = dice.between(1, Math.max(1, dice.chance(0.15) ? reach + 1 : reachByClaim(candidates)))
  const input: OracleInput = { candidates, liquidity, target }
  if (dice.chance(0.25)) input.maxFace = target + dice.between(0, Math.ceil(target / 3) + 3)
  if (dice.chance(0.25)) input.maxCost = dice.between(0, Math.ceil(target / 4) + 3)
  return input
}

/** The most that every claim in its largest lot could advance, were liquidity no matter. */
function reachByClaim(candidates: readonly OracleCandidate[]): number {
  const best = new Map<string, number>()
  for (const { claim, max, rate } of candidates) {
    best.set(claim, Math.max(best.get(claim) ?? 0, max - Math.ceil((max * rate) / 10_000)))
  }
  return [...best.values()].reduce((sum, advance) => sum + advance, 0)
}
