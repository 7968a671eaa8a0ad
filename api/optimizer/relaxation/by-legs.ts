import type { Option } from '../model/problem.ts'
import { payingClaims } from './completion.ts'
import type { CostsOf, Least, Pattern, ReducedCosts } from './patterns.ts'
import type { Shape } from './shape.ts'

/** Lots that fit into a vault at once, and patterns of all vaults, up to which a node is bounded by numbers of legs. */
const FEW_LOTS = 4
const FEW_PATTERNS = 20_000
/** Patterns up to which the second run of a search does so for any number of lots. */
const FEW_PATTERNS_LATE = 3_000
/** Claims that a mask of bits holds. */
const MOST_CLAIMS = 30

/** Whether so few lots fit into the vaults at once that a bound by numbers of legs pays. */
export function hasFewPatterns({ vaults, maxLegs, width }: Shape, isLate: boolean): boolean {
  let sum = 0
  let lotsAtOnce = 0
  for (const { members, liquidity, legs } of vaults) {
    const lots = members.map(({ option }) => option.loFloat).sort((a, b) => a - b)
    let left = liquidity
    let count = 1
    for (let size = 1; size <= Math.min(legs.most, maxLegs, lots.length); size++) {
      left -= lots[size - 1] as number
      if (left < 0) break
      lotsAtOnce = Math.max(lotsAtOnce, size)
      count *= (lots.length - size + 1) / size
      sum += count
    }
  }
  const most = lotsAtOnce <= FEW_LOTS ? FEW_PATTERNS : isLate ? FEW_PATTERNS_LATE : 0
  return width <= MOST_CLAIMS && sum <= most
}

/** Claims that are used, and that no place outside the vault serves. */
function maskOfOwn(shape: Shape, vault: number): number {
  let mask = 0
  for (const { option, bit } of shape.vaults[vault]?.members ?? []) {
    const isElsewhere =
      (shape.free[option.claim]?.length ?? 0) > 0 ||
      shape.vaults.some(({ members }, other) => other !== vault && members.some((one) => one.bit === bit))
    if (shape.required[option.claim] === true && !isElsewhere) mask |= 1 << bit
  }
  return mask
}

/** The patterns that a vault may have, and whether it must have one. */
function permitted<P extends Pick<Pattern, 'mask'>>(shape: Shape, vault: number, patterns: readonly P[]) {
  const own = maskOfOwn(shape, vault)
  return {
    list: patterns.filter(({ mask }) => (mask & own) === own),
    mustServe: own !== 0 || (shape.vaults[vault]?.legs.least ?? 0) > 0,
  }
}

/** Per number of legs, the least reduced cost in at most as many; undefined where there is no assignment. */
type Row<T> = readonly (T | undefined)[]

/** Reduced costs in doubles, or in whole numbers. */
type Sums<T> = { readonly zero: T; plus(a: T, b: T): T }

const DOUBLES: Sums<number> = { zero: 0, plus: (a, b) => a + b }
const WHOLE: Sums<bigint> = { zero: 0n, plus: (a, b) => a + b }

/** The row with a vault besides those that `row` is of. */
function withVault<T extends number | bigint>(
  shape: Shape,
  vault: number,
  patterns: readonly Pattern<T>[],
  row: Row<T>,
  { plus }: Sums<T>,
): Row<T> {
  const { list, mustServe } = permitted(shape, vault, patterns)
  const grown = mustServe ? row.map(() => undefined) : [...row]
  for (const { members, reducedCost } of list)
    for (let legs = members.length; legs < row.length; legs++) {
      const rest = row[legs - members.length]
      const known = grown[legs]
      const total = rest === undefined ? undefined : plus(reducedCost, rest)
      if (total !== undefined && (known === undefined || total < known)) grown[legs] = total
    }
  return grown
}

/** The last row is that of the free claims that pay; each one before it, of a vault and what comes after. */
function rowsFrom<T extends number | bigint>(
  shape: Shape,
  { patterns, free }: CostsOf<T>,
  sums: Sums<T>,
): Row<T>[] {
  const paying = payingClaims(free)
  const alone = [sums.zero]
  for (let legs = 0; legs < shape.maxLegs; legs++)
    alone.push(sums.plus(alone[legs] ?? sums.zero, free[paying[legs] ?? -1] ?? sums.zero))
  const rows: Row<T>[] = [alone]
  for (let vault = patterns.length - 1; vault >= 0; vault--)
    rows.unshift(withVault(shape, vault, patterns[vault] ?? [], rows[0] ?? [], sums))
  return rows
}

/**
 * The least reduced cost where several vaults may serve one claim: a table over numbers of legs takes the place of that
 * over sets of claims. Where few lots fit into a vault, this is nearly exact once the legs of each vault are known, for
 * any number of claims. A claim that is used, and by one vault alone, is in every pattern of that vault.
 */
export function leastByLegs(shape: Shape, reducedCosts: ReducedCosts): Least {
  const rows = rowsFrom(shape, reducedCosts, DOUBLES)
  let left = shape.maxLegs
  const traced = reducedCosts.patterns.map((patterns, vault) => {
    const least = rows[vault]?.[left]
    const rest = rows[vault + 1] ?? []
    const { list, mustServe } = permitted(shape, vault, patterns)
    if (!mustServe && least === rest[left]) return undefined
    const used = list.find(
      ({ members, reducedCost }) => reducedCost + (rest[left - members.length] ?? Number.NaN) === least,
    )
    left -= used?.members.length ?? 0
    return used
  })
  const paying = payingClaims(reducedCosts.free)
  const taken = paying.slice(0, left).reduce((mask, claim) => mask | (1 << claim), 0)
  return { reducedCost: rows[0]?.[shape.maxLegs] ?? Number.POSITIVE_INFINITY, traced, taken }
}

/** `leastByLegs` in whole numbers; undefined when there is no assignment. */
export const exactLeastByLegs = (shape: Shape, reducedCosts: CostsOf<bigint>): bigint | undefined =>
  rowsFrom(shape, reducedCosts, WHOLE)[0]?.[shape.maxLegs]

/** Per option of a shared vault, the least reduced cost with a pattern there that contains it. */
export function optionMinimaByLegs(shape: Shape, reducedCosts: ReducedCosts): ReadonlyMap<Option, number> {
  const rows = rowsFrom(shape, reducedCosts, DOUBLES)
  const least = new Map<Option, number>()
  let before: Row<number> = new Array<number>(shape.maxLegs + 1).fill(0)
  reducedCosts.patterns.forEach((patterns, vault) => {
    const after = rows[vault + 1] ?? []
    const others = before.map((_, size) => {
      const end = (legs: number) => after[shape.maxLegs - size - legs] ?? Number.POSITIVE_INFINITY
      const starts = before.slice(0, before.length - size)
      return Math.min(...starts.map((own = Number.POSITIVE_INFINITY, legs) => own + end(legs)))
    })
    for (const { members, reducedCost } of permitted(shape, vault, patterns).list) {
      const total = reducedCost + (others[members.length] as number)
      for (const { option } of members)
        least.set(option, Math.min(total, least.get(option) ?? Number.POSITIVE_INFINITY))
    }
    before = withVault(shape, vault, patterns, before, DOUBLES)
  })
  return least
}
