import type { Domain } from '../model/domain.ts'
import type { Option } from '../model/problem.ts'
import { exactLeastByLegs, leastByLegs, optionMinimaByLegs } from '../relaxation/by-legs.ts'
import { eachCompleted, isServed } from '../relaxation/completion.ts'
import { reducedCostAlone } from '../relaxation/elsewhere.ts'
import type { ExactLeastOf } from '../relaxation/exact-node-bound.ts'
import { exactMinimum } from '../relaxation/exact-subsets.ts'
import type { LeastOf, Relaxed } from '../relaxation/lagrangian.ts'
import type { ReducedCosts } from '../relaxation/patterns.ts'
import type { Shape } from '../relaxation/shape.ts'
import { eachDisjoint, leastBySets, sweepForward } from '../relaxation/subsets.ts'
import { countBits, layer, setsBefore, type Workspace } from '../relaxation/workspace.ts'

/** How a node is bounded: by tables over sets of claims, or over numbers of legs where there are too many claims. */
export type Sweep = {
  readonly leastOf: LeastOf
  readonly exactLeastOf: ExactLeastOf
  minimaOf(shape: Shape, relaxed: Relaxed, space: Workspace, allowance: number): Minima
}

export const BY_SETS: Sweep = {
  leastOf: leastBySets,
  exactLeastOf: exactMinimum,
  minimaOf(shape, { reducedCosts }, space, allowance) {
    sweepForward(shape, reducedCosts, space)
    const minima = claimMinima(shape, reducedCosts, space, allowance)
    const least = optionMinima(shape, reducedCosts, space)
    return { ...minima, least }
  },
}

export const BY_LEGS: Sweep = {
  leastOf: leastByLegs,
  exactLeastOf: exactLeastByLegs,
  minimaOf(shape, { reducedCost, reducedCosts }) {
    const least = optionMinimaByLegs(shape, reducedCosts)
    return { without: () => reducedCost, forced: () => reducedCost, least }
  },
}

/** The least reduced costs without a claim, with it served by its cheapest free option, and with an option. */
type Minima = {
  without(claim: number): number
  forced(claim: number): number
  readonly least: ReadonlyMap<Option, number>
}

/**
 * Reduced-cost fixing.
 * Pruning rule: an option is dropped when the cheapest assignment that contains it has a reduced cost above
 * `allowance`, and a claim becomes required when the cheapest assignment without it does.
 * Proof: both minima are exact for the relaxation (a forward table up to the vault is joined with a backward table
 * after it), as far as they are within its limit, and the relaxation never overestimates. Patterns that were dropped
 * for an option are covered by the assignment without its claim, or with the claim elsewhere, plus the least loss at
 * which it was dropped: by submodularity no larger pattern loses less.
 */
export function fixByReducedCost(
  shape: Shape,
  domain: Domain,
  relaxed: Relaxed,
  allowance: number,
  { without, forced, least }: Minima,
): Domain {
  const { losses, multiplier } = relaxed
  const unitReducedCost = (option: Option) => option.slope - multiplier
  const survives = (option: Option): boolean => {
    const { claim } = option
    const shared = least.get(option) ?? Number.POSITIVE_INFINITY
    const dropped = without(claim) + (losses.unused.get(option) ?? Number.POSITIVE_INFINITY)
    const moved = relaxed.reducedCost + (losses.elsewhere.get(option) ?? Number.POSITIVE_INFINITY)
    if (Math.min(shared, dropped, moved) <= allowance) return true
    if (!(shape.free[claim] ?? []).includes(option)) return false
    const cheapest = relaxed.reducedCosts.free[claim] ?? 0
    return forced(claim) + (reducedCostAlone(option, unitReducedCost) - cheapest) <= allowance
  }
  return {
    ...domain,
    options: domain.options.map((list) => list.filter(survives)),
    required: domain.required.map((required, claim) => required || without(claim) > allowance),
  }
}

/** Per claim, the least reduced cost without it, and with it served by its cheapest free option. */
function claimMinima(shape: Shape, { free }: ReducedCosts, space: Workspace, allowance: number) {
  const size = 1 << shape.width
  const end = layer(space.tables.backward, shape.vaults.length, size)
  const count = shape.required.length
  const without = new Array<number>(count).fill(Number.POSITIVE_INFINITY)
  const forced = new Array<number>(count).fill(Number.POSITIVE_INFINITY)
  end.fill(Number.POSITIVE_INFINITY, 0, size)
  const isOpen = (least: number): boolean => least <= allowance
  eachCompleted(shape, free, space, isOpen, (served, total, completion) => {
    end[served] = completion.reducedCost
    if (total === Number.POSITIVE_INFINITY) return
    for (let claim = 0; claim < count; claim++) {
      if (isServed(shape, claim, served)) continue
      const own = free[claim] as number
      const isTaken = (completion.taken & (1 << claim)) !== 0
      if (shape.required[claim] !== true) {
        const rest = isTaken ? total - own + completion.next : total
        if (rest < (without[claim] as number)) without[claim] = rest
      }
      const making = isTaken ? total : total + own - (completion.legsLeft > 0 ? 0 : completion.worst)
      if (making < (forced[claim] as number)) forced[claim] = making
    }
  })
  return {
    without: (claim: number) => without[claim] as number,
    forced: (claim: number) => forced[claim] as number,
  }
}

/** Per option of a shared vault, the least reduced cost of an assignment whose pattern there contains it. */
function optionMinima(
  shape: Shape,
  { patterns }: ReducedCosts,
  space: Workspace,
): ReadonlyMap<Option, number> {
  const size = 1 << shape.width
  const { tables } = space
  const least = new Map<Option, number>()
  for (let vault = shape.vaults.length - 1; vault >= 0; vault--) {
    const after = layer(tables.backward, vault + 1, size)
    const before = layer(tables.backward, vault, size)
    const forward = layer(tables.forward, vault, size)
    const sets = setsBefore(tables, vault)
    if ((shape.vaults[vault]?.legs.least ?? 0) > 0) before.fill(Number.POSITIVE_INFINITY, 0, size)
    else before.set(after.subarray(0, size))
    for (const pattern of patterns[vault] ?? []) {
      const { mask, reducedCost, members } = pattern
      let exactMinimum = Number.POSITIVE_INFINITY
      const room = shape.maxLegs - members.length
      eachDisjoint(shape, pattern, sets, space.budget, (set) => {
        if (countBits(set) > room) return
        const total = reducedCost + (after[set | mask] as number)
        if (total < (before[set] as number)) before[set] = total
        const whole = (forward[set] as number) + total
        if (whole < exactMinimum) exactMinimum = whole
      })
      for (const { option } of members) {
        if (exactMinimum < (least.get(option) ?? Number.POSITIVE_INFINITY)) least.set(option, exactMinimum)
      }
    }
  }
  return least
}
