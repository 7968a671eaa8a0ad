import type { Fuse } from '../model/fuse.ts'
import type { Option } from '../model/problem.ts'
import { certainPlace, type Elsewhere } from './elsewhere.ts'
import type { Member, Shape, SharedVault } from './shape.ts'

/** A set of claims served by one vault together, at the least price it can be had for. */
export type Pattern = { readonly mask: number; readonly weight: number; readonly members: readonly Member[] }

/** Price of one unit of advance through an option: its rate less what the unit is worth. */
export type Price = (option: Option) => number

/** Per option, the least loss at which patterns with it were dropped: bounds from below on what forcing it in costs. */
export type Losses = {
  /** On top of the lightest assignment without its claim. */
  readonly unused: Map<Option, number>
  /** On top of the lightest assignment of all. */
  readonly elsewhere: Map<Option, number>
}
export const noLosses = (): Losses => ({ unused: new Map(), elsewhere: new Map() })

const NO_VAULT = { members: [], legs: { least: 0, most: 0 } }

/** Table steps that weighing one pattern takes. */
const WEIGHING = 60

export type Rules = {
  readonly requiredMask: number
  readonly elsewhere: Elsewhere
  /** Weights closer than this are not told apart. */
  readonly slack: number
  readonly losses: Losses
  readonly fuse: Fuse
  weigh(members: readonly Member[]): number
  /** Whether these members leave nothing to any that comes after them. */
  isFull(members: readonly Member[]): boolean
  /** Whether no assignment with a pattern of this mask and weight is of interest, when so many legs are left: outlook.ts. */
  isTooHeavy(mask: number, legs: number, weight: number): boolean
}

/**
 * Every pattern of a vault that may be part of a lightest assignment.
 *
 * Pruning rule: a pattern that a claim does not make lighter is dropped with all its supersets. Proof: filling a vault
 * by price is a fractional knapsack, whose value is submodular in the set of items (a lower bound `lo` is an item that
 * must be taken first); so a claim that does not pay in a small set pays even less in a larger one, and the assignment
 * without it is at least as light and uses fewer claims. A required claim is never dropped: it has nowhere else to go.
 *
 * Pruning rule: so is a pattern in which a claim weighs more than in some place elsewhere that is certainly open to it.
 * Proof: an assignment with s claims in this vault has at most maxLegs - s legs in others, too few to block all of the
 * lighter places, and a place with room for the claim's largest lot takes it at the weight of the claim alone. In larger
 * sets the claim weighs more still, and fewer legs are left to block. A move goes to a clearly lighter place or to an
 * earlier vault, so the moves end; were a double's last digit to decide between equal weights, they could go in circles
 * and every one of the places be dropped for another.
 *
 * Neither rule holds where the vault must have some number of legs, since either takes one away. The second rule moves a claim
 * only to vaults without a limit on their legs: see elsewhere.ts.
 */
export function patternsOf(shape: Shape, vault: number, rules: Rules): Pattern[] {
  const { requiredMask, slack, losses, fuse } = rules
  const { members, legs } = shape.vaults[vault] ?? NO_VAULT
  const found: Pattern[] = []
  const extend = (from: number, mask: number, weight: number, chosen: readonly Member[]): void => {
    if (chosen.length === legs.most) return
    const isFull = legs.least === 0 && rules.isFull(chosen)
    for (let index = from; index < members.length; index++) {
      const member = members[index]
      if (member === undefined || (mask & (1 << member.bit)) !== 0) continue
      const isRequired = (requiredMask & (1 << member.bit)) !== 0
      if (isFull && !isRequired) continue
      const grown = [...chosen, member]
      fuse.steps -= WEIGHING
      const grownWeight = rules.weigh(grown)
      if (grownWeight === Number.POSITIVE_INFINITY) continue
      const grownMask = mask | (1 << member.bit)
      const others = shape.maxLegs - grown.length
      if (rules.isTooHeavy(grownMask, others, grownWeight)) continue
      const marginal = grownWeight - weight
      if (legs.least === 0 && !isRequired && marginal >= slack) {
        keepLeast(losses.unused, member.option, marginal)
        continue
      }
      const places = legs.least > 0 ? [] : (rules.elsewhere[member.option.claim] ?? [])
      const lighter = certainPlace(places, vault, marginal - slack, weight, others)
      if (lighter !== undefined) {
        keepLeast(losses.elsewhere, member.option, marginal - lighter)
        continue
      }
      if (grown.length >= legs.least) found.push({ mask: grownMask, weight: grownWeight, members: grown })
      if (others > 0) extend(index + 1, grownMask, grownWeight, grown)
    }
  }
  extend(0, 0, 0, [])
  return found
}

function keepLeast(losses: Map<Option, number>, option: Option, loss: number): void {
  if (loss < (losses.get(option) ?? Number.POSITIVE_INFINITY)) losses.set(option, loss)
}

/** `weigh` for the float relaxation. */
export const byPrice = (vault: SharedVault, price: Price) => (members: readonly Member[]) =>
  fill(vault, members, price)

/** Cheapest price of serving all these members (sorted by rate) within the vault's liquidity. */
function fill(vault: SharedVault, members: readonly Member[], price: Price): number {
  let left = vault.liquidity * (1 + 1e-12)
  let weight = 0
  for (const { option } of members) {
    left -= option.loFloat
    weight += price(option) * option.loFloat
  }
  if (left < 0) return Number.POSITIVE_INFINITY
  for (const { option } of members) {
    const unit = price(option)
    if (unit >= 0 || left <= 0) continue
    const more = Math.min(option.hiFloat - option.loFloat, left)
    weight += unit * more
    left -= more
  }
  return weight
}

export type Filled = { readonly advance: number; readonly cost: number }

/** Advance and linear cost of the fill that `fill` prices. */
export function fillTotals(vault: SharedVault, members: readonly Member[], price: Price): Filled {
  let left = vault.liquidity
  let advance = 0
  let cost = 0
  for (const { option } of members) left -= option.loFloat
  for (const { option } of members) {
    const more = price(option) < 0 ? Math.max(0, Math.min(option.hiFloat - option.loFloat, left)) : 0
    left -= more
    advance += option.loFloat + more
    cost += option.slope * (option.loFloat + more)
  }
  return { advance, cost }
}
