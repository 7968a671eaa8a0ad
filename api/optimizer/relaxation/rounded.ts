import { ceilDiv, smaller } from '../../domain/bigint.ts'
import type { Option } from '../model/problem.ts'
import type { WorkBudget } from '../model/work-budget.ts'
import { type Curve, constantCurve, legCurve } from '../split/curve.ts'
import { maxSurplus } from '../split/tune.ts'
import type { Member, SharedVault } from './shape.ts'

export type Rate = { readonly rate: bigint; readonly keep: bigint }

export const isCheaper = (a: Rate, b: Rate): boolean => a.rate * b.keep < b.rate * a.keep

/** The least reduced cost of a leg, its own rounding included, times `multiplier.keep`. */
type LeastReducedCost = (option: Option, multiplier: Rate) => bigint

export function leastReducedCosts(budget: WorkBudget): LeastReducedCost {
  const memo = new Map<Option, Map<bigint, bigint>>()
  return (option, multiplier) => {
    const known = memo.get(option) ?? new Map<bigint, bigint>()
    memo.set(option, known)
    const cached = known.get(multiplier.rate)
    if (cached !== undefined) return cached
    const loss = -maxSurplus(legCurve(option), asCurve(multiplier), budget)
    known.set(multiplier.rate, loss)
    return loss
  }
}

const asCurve = ({ rate, keep }: Rate): Curve => ({ ...constantCurve(0n, 0n), rate, keep })

/**
 * Legs that can take all of a vault's liquidity L, for any multiplier w' < w of the vault: advancing x in all, they
 * cost at least w' x + losses, where `losses` sums each leg's own least loss at w'. That cost is a whole number, and x
 * is at most L. So either they cost at least C = ceil(w' L + losses), or at most C - 1, and then x is at most (C - 1 -
 * losses) / w'. The rate of the leg that fills the vault in the linear relaxation is taken for w'. Where it
 * is not below w, which only happens in a vault that must have legs, each leg's own loss at w is the bound.
 * Pruning rule: such legs stand for every pattern that adds others after them, which are no cheaper.
 * Proof: a leg at a rate of at least w' costs at least w' times its advance, so what was said holds with it added.
 */
export function patternReducedCosts(
  vault: SharedVault,
  multiplier: Rate,
  grain: number,
  lossOf: LeastReducedCost,
) {
  const liquidity = vault.exactLiquidity
  const scale = (numerator: bigint, denominator: bigint) => scaledQuotient(numerator, denominator, grain)
  return (members: readonly Member[]): bigint => {
    const last = marginalRate(members, liquidity)
    const marginal = last !== undefined && isCheaper(last, multiplier) ? last : undefined
    const losses = members.reduce((sum, { option }) => sum + lossOf(option, marginal ?? multiplier), 0n)
    if (marginal === undefined) return scale(losses, multiplier.keep)
    const { rate, keep } = marginal
    const cost = quotientUp(rate * liquidity + losses, keep)
    const atLeast = scale(cost * multiplier.keep - multiplier.rate * liquidity, multiplier.keep)
    if (rate === 0n) return atLeast
    const less = (cost - 1n) * rate * multiplier.keep - multiplier.rate * ((cost - 1n) * keep - losses)
    return smaller(atLeast, scale(less, multiplier.keep * rate))
  }
}

/** The rate at which the liquidity runs out, if it does, when all have their least lots and more in order of rate. */
function marginalRate(members: readonly Member[], liquidity: bigint): Rate | undefined {
  let left = members.reduce((rest, { option }) => rest - option.lo, liquidity)
  return members.find(({ option }) => {
    left -= option.hi - option.lo
    return left <= 0n
  })?.option
}

/** A quotient in multiples of 2^-grain, rounded down. */
export function scaledQuotient(numerator: bigint, denominator: bigint, grain: number): bigint {
  const [top, bottom] =
    grain >= 0 ? [numerator << BigInt(grain), denominator] : [numerator, denominator << BigInt(-grain)]
  return top >= 0n ? top / bottom : -ceilDiv(-top, bottom)
}

/** Quotient rounded up for a numerator of either sign. */
export function quotientUp(numerator: bigint, denominator: bigint): bigint {
  return numerator > 0n ? ceilDiv(numerator, denominator) : -(-numerator / denominator)
}
