import type { Option } from '../model/problem.ts'
import { LIQUIDITY_ERROR } from '../model/tolerances.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'
import type { CompletionLimit } from './completion-bound.ts'
import { certainPlace, type Elsewhere, placesOf, reducedCostAlone } from './elsewhere.ts'
import type { Member, Shape, SharedVault, UnitReducedCost } from './shape.ts'

/** A set of claims served by one vault together, and the least reduced cost of serving it. */
export type Pattern<Cost = number> = {
  readonly mask: number
  readonly reducedCost: Cost
  readonly members: readonly Member[]
}

/** Reduced costs of one relaxation: patterns per shared vault, and the cheapest free option per claim, if any. */
export type CostsOf<Cost> = {
  readonly patterns: readonly (readonly Pattern<Cost>[])[]
  readonly free: readonly (Cost | undefined)[]
}

/** Free reduced cost of each claim in doubles; infinite without a free option. */
export type FreeCosts = readonly number[]

export type ReducedCosts = CostsOf<number> & {
  readonly free: FreeCosts
  /** Undefined when every assignment is of interest. */
  readonly limit: CompletionLimit | undefined
}

/** An assignment of least reduced cost: a pattern per shared vault or none, and claims of free options as a mask. */
export type Least = {
  readonly reducedCost: number
  readonly traced: readonly (Pattern | undefined)[]
  readonly taken: number
}

/** Per option, the least loss at which patterns with it were dropped: bounds from below on what forcing it in costs. */
export type Losses = {
  /** Above the least reduced cost of an assignment without its claim. */
  readonly unused: Map<Option, number>
  /** Above the least reduced cost of all. */
  readonly elsewhere: Map<Option, number>
}

export type Rules = {
  readonly requiredMask: number
  readonly unitReducedCost: UnitReducedCost
  readonly elsewhere: Elsewhere
  /** Reduced costs closer than this count as equal. */
  readonly slack: number
  readonly losses: Losses
  readonly budget: WorkBudget
  /** Whether these members leave nothing to any that comes after them. */
  isFull(vault: SharedVault, members: readonly Member[]): boolean
  /** Whether the completion bound excludes a pattern with `legs` legs left: completion-bound.ts. */
  exceedsCutoff(mask: number, legs: number, reducedCost: number): boolean
}

export function rulesFor(shape: Shape, unitReducedCost: UnitReducedCost, budget: WorkBudget): Rules {
  const bits = shape.bits.filter((bit, claim) => bit >= 0 && shape.required[claim] === true)
  return {
    requiredMask: bits.reduce((mask, bit) => mask | (1 << bit), 0),
    unitReducedCost,
    elsewhere: placesOf(shape, (option) => reducedCostAlone(option, unitReducedCost)),
    slack: 0,
    losses: { unused: new Map(), elsewhere: new Map() },
    budget,
    isFull: () => false,
    exceedsCutoff: () => false,
  }
}

/**
 * Per vault, every pattern that may be part of an assignment of least reduced cost.
 *
 * Pruning rule: a pattern whose reduced cost a claim does not lower is dropped with all its supersets.
 * Proof: filling a vault by reduced cost is a fractional knapsack, whose value is submodular in the set of items (a
 * lower bound `lo` is an item that must be taken first); so a claim that does not pay in a small set pays even less in
 * a larger one, and the assignment without it costs no more and uses fewer claims. A required claim is never dropped:
 * it has nowhere else to go.
 *
 * Pruning rule: so is a pattern in which a claim has a higher reduced cost than in some other place that is certainly
 * open to it.
 * Proof: an assignment with s claims in this vault has at most maxLegs - s legs in others, too few to block all of the
 * cheaper places, and a place with room for the claim's largest lot takes it at the reduced cost of the claim alone. In
 * larger sets the claim adds more still, and fewer legs are left to block. A move goes to a clearly cheaper place or to
 * an earlier vault, so the moves end; were a double's last digit to decide between equal reduced costs, they could go
 * in circles and every one of the places be dropped for another.
 *
 * Neither rule holds where the vault must have some number of legs, since either takes one away. The second rule moves
 * a claim only to vaults without a limit on their legs: see elsewhere.ts.
 */
export const patternsOf = (shape: Shape, rules: Rules): Pattern[][] =>
  shape.vaults.map((vault, number) => patternsOfVault(shape, vault, number, rules))

function patternsOfVault(shape: Shape, vault: SharedVault, number: number, rules: Rules): Pattern[] {
  const { requiredMask, unitReducedCost, slack, losses, budget } = rules
  const { members, legs } = vault
  const found: Pattern[] = []
  let evaluated = 0
  const extend = (from: number, mask: number, reducedCost: number, chosen: readonly Member[]): void => {
    if (chosen.length === legs.most) return
    const isFull = legs.least === 0 && rules.isFull(vault, chosen)
    for (let index = from; index < members.length; index++) {
      const member = members[index]
      if (member === undefined || (mask & (1 << member.bit)) !== 0) continue
      const isRequired = (requiredMask & (1 << member.bit)) !== 0
      if (isFull && !isRequired) continue
      const grown = [...chosen, member]
      evaluated++
      const grownReducedCost = fill(vault, grown, unitReducedCost)
      if (grownReducedCost === Number.POSITIVE_INFINITY) continue
      const grownMask = mask | (1 << member.bit)
      const others = shape.maxLegs - grown.length
      if (rules.exceedsCutoff(grownMask, others, grownReducedCost)) continue
      const marginal = grownReducedCost - reducedCost
      if (legs.least === 0 && !isRequired && marginal >= slack) {
        keepLeast(losses.unused, member.option, marginal)
        continue
      }
      const places = legs.least > 0 ? [] : (rules.elsewhere[member.option.claim] ?? [])
      const cheaper = certainPlace(places, number, marginal - slack, reducedCost, others)
      if (cheaper !== undefined) {
        keepLeast(losses.elsewhere, member.option, marginal - cheaper)
        continue
      }
      if (grown.length >= legs.least)
        found.push({ mask: grownMask, reducedCost: grownReducedCost, members: grown })
      if (others > 0) extend(index + 1, grownMask, grownReducedCost, grown)
    }
  }
  extend(0, 0, 0, [])
  spend(budget, 'pattern', evaluated)
  return found
}

function keepLeast(losses: Map<Option, number>, option: Option, loss: number): void {
  if (loss < (losses.get(option) ?? Number.POSITIVE_INFINITY)) losses.set(option, loss)
}

/** Least reduced cost of serving all these members (sorted by rate) within the vault's liquidity. */
function fill(vault: SharedVault, members: readonly Member[], unitReducedCost: UnitReducedCost): number {
  let left = vault.liquidity * (1 + LIQUIDITY_ERROR)
  let reducedCost = 0
  for (const { option } of members) {
    left -= option.loFloat
    reducedCost += unitReducedCost(option) * option.loFloat
  }
  if (left < 0) return Number.POSITIVE_INFINITY
  for (const { option } of members) {
    const unit = unitReducedCost(option)
    if (unit >= 0 || left <= 0) continue
    const more = Math.min(option.hiFloat - option.loFloat, left)
    reducedCost += unit * more
    left -= more
  }
  return reducedCost
}

export type Filled = { readonly advance: number; readonly cost: number }

/** Advance and linear cost of the fill whose reduced cost `fill` returns. */
export function fillTotals(
  vault: SharedVault,
  members: readonly Member[],
  unitReducedCost: UnitReducedCost,
): Filled {
  let left = vault.liquidity
  let advance = 0
  let cost = 0
  for (const { option } of members) left -= option.loFloat
  for (const { option } of members) {
    const more =
      unitReducedCost(option) < 0 ? Math.max(0, Math.min(option.hiFloat - option.loFloat, left)) : 0
    left -= more
    advance += option.loFloat + more
    cost += option.slope * (option.loFloat + more)
  }
  return { advance, cost }
}
