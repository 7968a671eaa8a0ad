import { ceilDiv, compare, larger, smaller, sum } from '../../domain/bigint.ts'
import { BPS_DENOMINATOR, MAX_LEGS } from '../../domain/limits.ts'
import { byVault, largestTogether, mostByClaim, wholeDomain } from './domain.ts'
import { InvalidOptimizeInput } from './errors.ts'
import { excessAtLeastLot, type Group, type Option, type Problem } from './problem.ts'
import type { Candidate, IssuerLimit, OptimizeInput } from './types.ts'

export const largestFace = ({ hi, costHi }: Option): bigint => hi + costHi

/** The candidates, none larger than its issuer's limit. */
export function withinLimits({ candidates, issuerLimits = [] }: OptimizeInput): readonly Candidate[] {
  if (issuerLimits.length === 0) return candidates
  const limits = new Map<string, bigint>()
  for (const { vault, claimIds, maxFace } of issuerLimits) {
    if (maxFace < 0n) throw new InvalidOptimizeInput('issuerLimits', maxFace, 'at least 0')
    for (const claimId of claimIds) {
      if (limits.has(claimId + vault))
        throw new InvalidOptimizeInput('issuerLimits', maxFace, 'the only limit of a claim in a vault')
      limits.set(claimId + vault, maxFace)
    }
  }
  return candidates.map((one) => {
    return { ...one, maxFace: smaller(limits.get(one.claimId + one.vault) ?? one.maxFace, one.maxFace) }
  })
}

type Members = { readonly maxFace: bigint; readonly options: readonly Option[] }

/**
 * The problem with the issuer limits that can bind. A vault that has liquidity for all that its groups may advance is
 * divided into one vault per group and one for the rest: its liquidity couples nothing, and each part has the limit of
 * its group as liquidity in every relaxation. Otherwise relaxations know the liquidity alone. In both cases the split
 * of an assignment keeps to the faces exactly. A claim has at most one part of a vault, so the order of vaults stays
 * that of their ids.
 */
export function withGroups(problem: Problem, issuerLimits: readonly IssuerLimit[] = []): Problem {
  const vaults: Problem['vaults'][number][] = []
  const liquidity: bigint[] = []
  const groups: Group[] = []
  const moved = new Map<Option, Option>()
  const lists = byVault(wholeDomain(problem))
  problem.vaults.forEach((id, number) => {
    const options = lists[number] ?? []
    const available = problem.liquidity[number] ?? 0n
    const limits = issuerLimits.filter(({ vault }) => vault === id)
    const bound = membersOf(options, limits, problem, available)
    const grouped = new Set(bound.flatMap((members) => members.options))
    const rest = options.filter((option) => !grouped.has(option))
    const reaches = bound.map((members) => mostWithin(members.options, members.maxFace))
    const isDivided = bound.length > 0 && sum(reaches) + largestTogether(mostByClaim(rest)) <= available
    const place = (list: readonly Option[], amount: bigint, group?: number): void => {
      for (const option of list) moved.set(option, { ...option, vault: vaults.length, group })
      if (!isDivided) return
      vaults.push(id)
      liquidity.push(amount)
    }
    bound.forEach((members, index) => {
      groups.push({ vault: vaults.length, maxFace: members.maxFace })
      place(members.options, reaches[index] ?? 0n, groups.length - 1)
    })
    place(rest, available)
    if (isDivided) return
    vaults.push(id)
    liquidity.push(available)
  })
  if (groups.length === 0) return problem
  const options = problem.options.map((list) => list.map((option) => moved.get(option) ?? option))
  return { ...problem, vaults, liquidity, liquidityFloat: liquidity.map(Number), options, groups }
}

/** The options of each limit of a vault that can bind, in order of their first claims. */
function membersOf(
  options: readonly Option[],
  limits: readonly IssuerLimit[],
  { claims }: Problem,
  liquidity: bigint,
): Members[] {
  return limits
    .map(({ claimIds, maxFace }) => {
      const ids = new Set(claimIds)
      return { maxFace, options: options.filter(({ claim }) => ids.has(claims[claim] ?? '0x')) }
    })
    .filter((members) => canExceed(members, liquidity))
    .sort((a, b) => compare(a.options[0]?.claim ?? 0, b.options[0]?.claim ?? 0))
}

/** Whether a route may take more face from these options than the limit, within the liquidity of the vault. */
function canExceed({ options, maxFace }: Members, liquidity: bigint): boolean {
  if (largestTogether(mostByClaim(options, largestFace)) <= maxFace) return false
  const leastKeep = options.map(({ keep }) => keep).reduce(smaller)
  const excess = options.map(excessAtLeastLot).reduce(larger)
  // A leg costs less than a unit more than in proportion, and the excess of its least lot.
  return ceilDiv(liquidity * BPS_DENOMINATOR, leastKeep) + BigInt(MAX_LEGS) * (1n + excess) > maxFace
}

/** A bound on the largest advance of legs within a limit on their face, and an advance that they reach. */
export type Reach = { readonly least: bigint; readonly most: bigint }

/**
 * Fills faces in order of rate. A face f advances f * keep / 10000, rounded down: without the rounding no faces advance
 * more, and with it these do. So both differ by less than a unit per leg. Undefined where the least faces exceed the
 * limit.
 */
export function reachWithin(
  options: readonly Option[],
  maxFace: bigint,
  leastFaceOf: (option: Option) => bigint = ({ minFace }) => minFace,
): Reach | undefined {
  let left = options.reduce((rest, option) => rest - leastFaceOf(option), maxFace)
  if (left < 0n) return undefined
  let [least, linear, whole] = [0n, 0n, 0n]
  for (const option of [...options].sort((a, b) => Number(a.rate - b.rate))) {
    const more = smaller(largestFace(option) - leastFaceOf(option), left)
    left -= more
    const product = (leastFaceOf(option) + more) * option.keep
    linear += product
    least += smaller(product / BPS_DENOMINATOR, option.hi)
    whole += option.hi
  }
  return { least, most: smaller(whole, linear / BPS_DENOMINATOR) }
}

/** No legs among these options advance more within a limit on their face. */
const mostWithin = (options: readonly Option[], maxFace: bigint): bigint =>
  reachWithin(options, maxFace, () => 0n)?.most ?? 0n

/** No legs among these options of a vault advance more within its liquidity and the limits of its groups. */
export function capacityOf(problem: Problem, vault: number, options: readonly Option[]): bigint {
  const liquidity = problem.liquidity[vault] ?? 0n
  if (!options.some(({ group }) => group !== undefined)) return liquidity
  let most = 0n
  for (const group of new Set(options.map((option) => option.group))) {
    const list = options.filter((option) => option.group === group)
    const maxFace = group === undefined ? undefined : problem.groups[group]?.maxFace
    most += maxFace === undefined ? sum(list.map(({ hi }) => hi)) : mostWithin(list, maxFace)
  }
  return smaller(liquidity, most)
}
