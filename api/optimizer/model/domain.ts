import { compare, larger, sum } from '../../domain/bigint.ts'
import { MAX_LEGS } from '../../domain/limits.ts'
import type { Option, Problem } from './problem.ts'

/** How many legs a vault has in the routes of a node, both inclusive. */
export type LegRange = { readonly least: number; readonly most: number }

/** By vault; a vault without an entry has any number of legs. */
type LegRanges = ReadonlyMap<number, LegRange>

/**
 * The routes of a problem that a node still allows: per claim its options, and whether it has to be used; per vault its
 * number of legs.
 */
export type Domain = {
  readonly problem: Problem
  readonly options: readonly (readonly Option[])[]
  readonly required: readonly boolean[]
  readonly legs: LegRanges
}

export function wholeDomain(problem: Problem): Domain {
  return { problem, options: problem.options, required: problem.options.map(() => false), legs: new Map() }
}

export function withClaim(
  domain: Domain,
  claim: number,
  options: readonly Option[],
  required: boolean,
): Domain {
  return {
    ...domain,
    options: domain.options.map((list, index) => (index === claim ? options : list)),
    required: domain.required.map((flag, index) => (index === claim ? required : flag)),
  }
}

/** The part of a domain in which a vault has from `least` to `most` legs. */
export function withLegs(domain: Domain, vault: number, { least, most }: LegRange): Domain {
  const known = domain.legs.get(vault)
  const range = { least: Math.max(least, known?.least ?? 0), most: Math.min(most, known?.most ?? most) }
  const legs = new Map(domain.legs).set(vault, range)
  if (range.most > 0) return { ...domain, legs }
  return { ...domain, legs, options: domain.options.map((list) => list.filter((one) => one.vault !== vault)) }
}

/** The options of each vault, those of earlier claims first. */
export function byVault({ problem, options }: Domain): readonly Option[][] {
  const lists: Option[][] = problem.vaults.map(() => [])
  for (const option of options.flat()) lists[option.vault]?.push(option)
  return lists
}

export function countOptions(domain: Domain): number {
  return domain.options.reduce((count, list) => count + list.length, 0)
}

/** The largest advance of all claims together, were liquidity no matter. */
export const mostTogether = ({ options }: Domain): number =>
  options.reduce((sum, list) => sum + Math.max(0, ...list.map(({ hiFloat }) => hiFloat)), 0)

export type ClaimMaximum = { readonly claim: number; readonly amount: bigint }

/** Lists the largest amount of each claim among some options, largest first. */
export function mostByClaim(
  options: readonly Option[],
  amountOf: (option: Option) => bigint = ({ hi }) => hi,
): readonly ClaimMaximum[] {
  const most = new Map<number, bigint>()
  for (const option of options) most.set(option.claim, larger(most.get(option.claim) ?? 0n, amountOf(option)))
  return [...most]
    .map(([claim, amount]) => ({ claim, amount }))
    .sort((a, b) => compare(b.amount, a.amount) || a.claim - b.claim)
}

/** The largest sum over as many claims as a route has legs. */
export const largestTogether = (maxima: readonly ClaimMaximum[], maxLegs = MAX_LEGS): bigint =>
  sum(maxima.slice(0, maxLegs).map(({ amount }) => amount))

/** How many legs of other claims it takes at least to use up more than `spare`. */
export function fewestBeyond(spare: bigint, maxima: readonly ClaimMaximum[], ownClaim: number): number {
  let left = spare
  const others = maxima.filter(({ claim }) => claim !== ownClaim)
  const last = others.findIndex(({ amount }) => {
    left -= amount
    return left < 0n
  })
  return last < 0 ? Number.POSITIVE_INFINITY : last + 1
}

/** A required claim without options: nothing is left. */
export function isEmpty(domain: Domain): boolean {
  return domain.required.some((required, claim) => required && (domain.options[claim]?.length ?? 0) === 0)
}

/** Whether legs keep to every range. */
export function keepsRanges(legs: LegRanges, chosen: readonly Option[]): boolean {
  for (const [vault, { least, most }] of legs) {
    const count = chosen.reduce((sum, option) => sum + Number(option.vault === vault), 0)
    if (count < least || count > most) return false
  }
  return true
}

/** Whether options are an assignment of the domain: a relaxation may use a claim twice. */
export function allows(domain: Domain, chosen: readonly Option[]): boolean {
  const uses = (claim: number): boolean => chosen.some((option) => option.claim === claim)
  return (
    keepsRanges(domain.legs, chosen) &&
    new Set(chosen.map(({ claim }) => claim)).size === chosen.length &&
    chosen.every((option) => domain.options[option.claim]?.includes(option)) &&
    domain.required.every((required, claim) => !required || uses(claim))
  )
}
