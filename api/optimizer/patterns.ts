import type { Option } from './problem.ts'
import type { Member, Shape, SharedVault } from './shape.ts'

/** A set of claims served by one vault together, at the least price it can be had for. */
export type Pattern = { readonly mask: number; readonly weight: number; readonly members: readonly Member[] }

/** Price of one unit of advance through an option: its rate less what the unit is worth. */
export type Price = (option: Option) => number

/**
 * Every pattern of a vault that may be part of a cheapest assignment.
 *
 * Pruning rule: a pattern that a claim does not make cheaper is dropped with all its supersets. Proof: filling a vault
 * by price is a fractional knapsack, whose value is submodular in the set of items (a lower bound `lo` is an item that
 * must be taken first); so a claim that does not pay in a small set pays even less in a larger one, and the assignment
 * without it is at least as cheap and uses fewer claims. A required claim is never dropped: it has nowhere else to go.
 *
 * `missed` receives, per option, the least loss at which it was dropped, a lower bound on what forcing it in costs.
 */
export function patternsOf(
  vault: SharedVault,
  shape: Shape,
  requiredMask: number,
  weigh: (members: readonly Member[]) => number,
  slack: number,
  limit: number,
  missed: Map<Option, number>,
): Pattern[] | undefined {
  const found: Pattern[] = []
  const { members } = vault
  const extend = (from: number, mask: number, weight: number, chosen: readonly Member[]): void => {
    for (let index = from; index < members.length && found.length <= limit; index++) {
      const member = members[index]
      if (member === undefined || (mask & (1 << member.bit)) !== 0) continue
      const grown = [...chosen, member]
      const grownWeight = weigh(grown)
      if (grownWeight === Number.POSITIVE_INFINITY) continue
      if ((requiredMask & (1 << member.bit)) === 0 && grownWeight >= weight + slack) {
        const loss = grownWeight - weight
        if (loss < (missed.get(member.option) ?? Number.POSITIVE_INFINITY)) missed.set(member.option, loss)
        continue
      }
      const grownMask = mask | (1 << member.bit)
      found.push({ mask: grownMask, weight: grownWeight, members: grown })
      if (grown.length < shape.maxLegs) extend(index + 1, grownMask, grownWeight, grown)
    }
  }
  extend(0, 0, 0, [])
  return found.length <= limit ? found : undefined
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
