import { smaller, sum } from '../../domain/bigint.ts'
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
  ofGroups: ReadonlyMap<number, bigint> = NO_GROUPS,
): bigint[] | undefined {
  const advances = options.map((option) => option.lo)
  const room = new Map<number, bigint>()
  const roomOfGroup = new Map(ofGroups)
  let missing = total
  for (const option of options) {
    const left = (room.get(option.vault) ?? problem.liquidity[option.vault] ?? 0n) - option.lo
    if (left < 0n) return undefined
    room.set(option.vault, left)
    lower(roomOfGroup, option.group, option.lo)
    missing -= option.lo
  }
  const byRate = options
    .map((_, index) => index)
    .sort((a, b) => Number((options[a]?.rate ?? 0n) - (options[b]?.rate ?? 0n)))
  for (const index of byRate) {
    const option = options[index]
    if (option === undefined || missing <= 0n) continue
    const left = room.get(option.vault) ?? 0n
    const ofGroup = option.group === undefined ? undefined : roomOfGroup.get(option.group)
    const more = smaller(smaller(smaller(option.hi - option.lo, left), missing), ofGroup ?? missing)
    advances[index] = option.lo + more
    room.set(option.vault, left - more)
    lower(roomOfGroup, option.group, more)
    missing -= more
  }
  return missing <= 0n ? advances : undefined
}

const NO_GROUPS: ReadonlyMap<number, bigint> = new Map()

function lower(room: Map<number, bigint>, group: number | undefined, amount: bigint): void {
  const left = group === undefined ? undefined : room.get(group)
  if (group !== undefined && left !== undefined) room.set(group, left - amount)
}

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
