import { larger, suffixSums } from '../../domain/bigint.ts'
import { type Domain, keepsRanges } from '../model/domain.ts'
import { type Bounds, ceilingOf } from '../model/goal.ts'
import type { Option } from '../model/problem.ts'

/** Assignments a domain allows, legs left out of account; stops counting above `limit`. */
export function countAssignments(domain: Domain, limit: number): number {
  let count = 1
  domain.options.forEach((list, claim) => {
    if (count <= limit) count *= list.length + (domain.required[claim] === true ? 0 : 1)
  })
  return count
}

/**
 * Every assignment of a domain that can still reach the target within the ceiling. The bounds may become tighter on the
 * way.
 * Pruning rule: the legs chosen so far cost at least the sum of their least costs, and the claims still open add at
 * most the sum of their largest advances; both sums only ignore constraints.
 */
export function visitAssignments(
  domain: Domain,
  boundsNow: () => Bounds,
  visit: (options: readonly Option[]) => void,
): void {
  const largest = domain.options.map((list) => list.map(({ hi }) => hi).reduce(larger, 0n))
  /** The most that each claim and later ones could advance, each in its largest lot. */
  const reach = suffixSums(largest)
  const chosen: Option[] = []
  const step = (claim: number, cost: bigint, advance: bigint): void => {
    const bounds = boundsNow()
    const ceiling = ceilingOf(bounds)
    if (ceiling !== undefined && cost > ceiling) return
    if (advance + (reach[claim] ?? 0n) < bounds.target) return
    const options = domain.options[claim]
    if (options === undefined) {
      if (keepsRanges(domain.legs, chosen)) visit([...chosen])
      return
    }
    if (chosen.length < bounds.maxLegs) {
      for (const option of options) {
        chosen.push(option)
        step(claim + 1, cost + option.costLo, advance + option.hi)
        chosen.pop()
      }
    }
    if (domain.required[claim] !== true) step(claim + 1, cost, advance)
  }
  step(0, 0n, 0n)
}
