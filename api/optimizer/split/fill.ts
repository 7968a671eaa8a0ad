import { compare, smaller, sum } from '../../domain/bigint.ts'
import { UNBOUNDED } from '../model/goal.ts'
import { faceOfAdvance, type Option, type Problem } from '../model/problem.ts'

/**
 * Fills legs in order of rate up to each vault's liquidity, and to what each group may advance. Greedy is optimal for
 * this linear relaxation because groups are nested in vaults, and vaults inside the total. Undefined when the legs
 * cannot reach `total`.
 */
export function fillByRate(
  problem: Problem,
  options: readonly Option[],
  total: bigint,
  reachOfGroups: ReadonlyMap<number, bigint>,
): bigint[] | undefined {
  const left = new Map<number, bigint>()
  const leftOfGroups = new Map(reachOfGroups)
  const roomFor = ({ vault, group = NO_GROUP }: Option) => ({
    inVault: left.get(vault) ?? problem.liquidity[vault] ?? 0n,
    inGroup: leftOfGroups.get(group) ?? UNBOUNDED,
  })
  let missing = total
  const take = (option: Option, amount: bigint): void => {
    const { inVault, inGroup } = roomFor(option)
    left.set(option.vault, inVault - amount)
    leftOfGroups.set(option.group ?? NO_GROUP, inGroup - amount)
    missing -= amount
  }
  for (const option of options) take(option, option.lo)
  if ([...left.values()].some((amount) => amount < 0n)) return undefined
  const advances = new Map(options.map((option) => [option, option.lo]))
  for (const option of [...options].sort((a, b) => compare(a.rate, b.rate))) {
    if (missing <= 0n) break
    const { inVault, inGroup } = roomFor(option)
    const more = [option.hi - option.lo, inVault, inGroup].reduce(smaller, missing)
    take(option, more)
    advances.set(option, option.lo + more)
  }
  return missing <= 0n ? options.map((option) => advances.get(option) ?? option.lo) : undefined
}

/** Stands for the legs without a limit of an issuer. */
const NO_GROUP = -1

/** A group of which these advances take more face than its limit. */
export function overrunGroup(
  problem: Problem,
  options: readonly Option[],
  advances: readonly bigint[],
): number | undefined {
  const number = problem.groups.findIndex(({ maxFace }, group) => {
    const faces = options.map((option, index) =>
      option.group === group ? faceOfAdvance(option, advances[index] ?? 0n) : 0n,
    )
    return sum(faces) > maxFace
  })
  return number < 0 ? undefined : number
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
