import { byVault, type ClaimMaximum, type Domain, fewestBeyond, mostByClaim } from '../model/domain.ts'
import type { Option, Problem } from '../model/problem.ts'
import { covers, dropOutclassed } from './claim-order.ts'

/**
 * Pruning rule: an option is dropped when other options of its claim, cheaper or equal and at least as wide, cannot all
 * be blocked at once.
 * Proof: take a best route that uses the option. Its other legs number at most maxLegs - 1. A better option's vault is
 * blocked only if other legs there leave less than this option's advance, which takes at least `blockers` legs. When
 * the blockers needed for all better options together exceed the other legs, one of them is open: moving the leg there,
 * at the same advance, costs no more and reaches as much. Every move goes to an earlier option in a fixed total order,
 * so the moves end in a route without dropped options. With `keepOrder` a better option must also come earlier in vault
 * order, so that the move never worsens the last ranking key either. Claims that need not be used at all are dropped
 * before: see claim-order.ts.
 */
export function dropDominated(whole: Domain, maxLegs: number, keepOrder: boolean): Domain {
  const domain = dropOutclassed(whole, maxLegs, keepOrder)
  const others = Math.min(maxLegs, domain.options.length) - 1
  const wanted = byVault(domain).map((options) => mostByClaim(options))
  const options = domain.options.map((list) =>
    list.filter((option) => {
      let needed = 0
      for (const better of list) {
        if (better === option || !dominates(better, option)) continue
        if (keepOrder && better.vault > option.vault) continue
        needed += blockers(domain.problem, wanted, better, option)
        if (needed > others) return false
      }
      return true
    }),
  )
  return { ...domain, options }
}

/** Costs no more at every advance the option allows, and comes first in a fixed order when the two are alike. */
function dominates(better: Option, option: Option): boolean {
  if (!covers(better, option) || !covers(option, better)) return covers(better, option)
  const isEarlier = better.vault < option.vault
  return isEarlier || (better.vault === option.vault && better.minFace < option.minFace)
}

/** How many other legs it takes at least before the better option's vault cannot take this option's whole advance. */
function blockers(
  problem: Problem,
  wanted: readonly (readonly ClaimMaximum[])[],
  better: Option,
  option: Option,
): number {
  if (better.vault === option.vault) return Number.POSITIVE_INFINITY
  const spare = (problem.liquidity[better.vault] ?? 0n) - option.hi
  // The leg alone is within the limit of its group. One other leg there may leave it too little face.
  return better.group === undefined ? fewestBeyond(spare, wanted[better.vault] ?? [], option.claim) : 1
}
