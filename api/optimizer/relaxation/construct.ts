import type { Domain } from '../model/domain.ts'
import type { Fuse } from '../model/fuse.ts'
import type { Option, Problem } from '../model/problem.ts'

/** The value of a unit of advance through an option. */
export type Worth = (option: Option) => number

/** Table steps that looking at one option takes. */
const OPTION = 40
const ROUNDS = 24

/**
 * Legs of great value found without a search: one after the other, each the one that adds most, then exchanged one for one
 * while that adds more. Liquidity and the leg limit are kept to, caps are not.
 */
export function construct(
  problem: Problem,
  domain: Domain,
  maxLegs: number,
  worthOf: Worth,
  fuse: Fuse,
): Option[] {
  const all = domain.options.flat()
  let legs = addBest(problem, all, maxLegs, worthOf, [], fuse)
  for (let round = 0; round < ROUNDS && legs.length > 0; round++) {
    const better = exchangeOne(problem, all, worthOf, legs, fuse)
    if (better === undefined) break
    legs = addBest(problem, all, maxLegs, worthOf, better, fuse)
  }
  return legs.sort((a, b) => a.claim - b.claim)
}

function addBest(
  problem: Problem,
  all: readonly Option[],
  maxLegs: number,
  worthOf: Worth,
  from: readonly Option[],
  fuse: Fuse,
): Option[] {
  const legs = [...from]
  while (legs.length < maxLegs) {
    const best = bestAddition(problem, all, worthOf, legs, fuse)
    if (best === undefined) break
    legs.push(best.option)
  }
  return legs
}

type Addition = { readonly option: Option; readonly value: number }

/** Of equal additions the smallest lot: larger ones are left for where they are needed. */
function bestAddition(
  problem: Problem,
  all: readonly Option[],
  worthOf: Worth,
  legs: readonly Option[],
  fuse: Fuse,
): Addition | undefined {
  fuse.steps -= all.length * OPTION
  const used = new Set(legs.map(({ claim }) => claim))
  const served = problem.vaults.map((_, vault) => legs.filter((leg) => leg.vault === vault))
  const before = served.map((group, vault) => vaultValue(problem, vault, group, worthOf))
  let best: Addition | undefined
  for (const option of all) {
    if (used.has(option.claim)) continue
    const { vault } = option
    const value =
      vaultValue(problem, vault, [...(served[vault] ?? []), option], worthOf) - (before[vault] as number)
    if (value <= 0 || value < (best?.value ?? 0)) continue
    if (best === undefined || value > best.value || option.hiFloat < best.option.hiFloat)
      best = { option, value }
  }
  return best
}

function exchangeOne(
  problem: Problem,
  all: readonly Option[],
  worthOf: Worth,
  legs: readonly Option[],
  fuse: Fuse,
): Option[] | undefined {
  const whole = totalValue(problem, legs, worthOf)
  let most = whole * (1 + 1e-12)
  let best: Option[] | undefined
  for (const leg of legs) {
    const rest = legs.filter((other) => other !== leg)
    const base = totalValue(problem, rest, worthOf)
    const added = bestAddition(problem, all, worthOf, rest, fuse)
    if (added === undefined || base + added.value <= most) continue
    most = base + added.value
    best = [...rest, added.option]
  }
  return best
}

function totalValue(problem: Problem, legs: readonly Option[], worthOf: Worth): number {
  return problem.vaults.reduce(
    (sum, _, vault) =>
      sum +
      vaultValue(
        problem,
        vault,
        legs.filter((leg) => leg.vault === vault),
        worthOf,
      ),
    0,
  )
}

/** What a vault's legs are worth, the most valuable filled first; less than nothing where their least lots overrun it. */
function vaultValue(problem: Problem, vault: number, legs: readonly Option[], worthOf: Worth): number {
  let left = problem.liquidityFloat[vault] as number
  let value = 0
  for (const option of legs) {
    left -= option.loFloat
    value += worthOf(option) * option.loFloat
  }
  if (left < 0) return Number.NEGATIVE_INFINITY
  const ordered =
    legs.length > 1 ? [...legs].sort((a, b) => worthOf(b) - worthOf(a) || a.claim - b.claim) : legs
  for (const option of ordered) {
    const more = Math.min(option.hiFloat - option.loFloat, left)
    if (worthOf(option) <= 0) break
    left -= more
    value += worthOf(option) * more
  }
  return value
}
