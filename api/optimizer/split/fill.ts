import { larger, smaller } from '../../domain/bigint.ts'
import type { Option, Problem } from '../model/problem.ts'

/** The sum of the advances at the optimum: see `Split`. */
export function requiredAdvance(options: readonly Option[], target: bigint): bigint {
  const least = options.reduce((sum, option) => sum + option.lo, 0n)
  return larger(least, target)
}

/**
 * Fills legs in order of rate up to each vault's liquidity. Greedy is optimal for this linear relaxation because the
 * liquidity bounds are nested inside the total. Undefined when the legs cannot reach `total`.
 */
export function fillByRate(
  problem: Problem,
  options: readonly Option[],
  total: bigint,
): bigint[] | undefined {
  const advances = options.map((option) => option.lo)
  const room = new Map<number, bigint>()
  let missing = total
  for (const option of options) {
    const left = (room.get(option.vault) ?? problem.liquidity[option.vault] ?? 0n) - option.lo
    if (left < 0n) return undefined
    room.set(option.vault, left)
    missing -= option.lo
  }
  const byRate = options
    .map((_, index) => index)
    .sort((a, b) => Number((options[a]?.rate ?? 0n) - (options[b]?.rate ?? 0n)))
  for (const index of byRate) {
    const option = options[index]
    if (option === undefined || missing <= 0n) continue
    const left = room.get(option.vault) ?? 0n
    const more = smaller(smaller(option.hi - option.lo, left), missing)
    advances[index] = option.lo + more
    room.set(option.vault, left - more)
    missing -= more
  }
  return missing <= 0n ? advances : undefined
}

/** A vault that these advances ask for more than it has. */
export function overrunVault(
  problem: Problem,
  options: readonly Option[],
  advances: readonly bigint[],
): number | undefined {
  const used = new Map<number, bigint>()
  options.forEach((option, index) => {
    used.set(option.vault, (used.get(option.vault) ?? 0n) + (advances[index] ?? 0n))
  })
  return [...used].find(([vault, sum]) => sum > (problem.liquidity[vault] ?? 0n))?.[0]
}
