import { compare, larger, sum } from '../../domain/bigint.ts'
import { MAX_LEGS } from '../../domain/limits.ts'
import type { Option } from './problem.ts'

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
