import type { Domain } from './domain.ts'
import type { Option } from './problem.ts'

/**
 * Pruning rule: where a claim is not used, no claim need be used whose every option is matched by one of the unused claim's, in
 * the same vault, at no higher rate and for every advance.
 * Proof: a route with the other claim and without this one becomes, with the leg moved from one to the other, a route with this
 * claim at the same advances, no higher cost and no more legs. It belongs to the part of the tree in which the claim is used.
 * Of a series of alike claims, this leaves the number that is used, and not which of them.
 */
export function outclassed(domain: Domain, unused: readonly Option[]): Domain {
  return {
    ...domain,
    options: domain.options.map((list, claim) =>
      domain.required[claim] !== true &&
      list.every((option) => unused.some((better) => matches(better, option)))
        ? []
        : list,
    ),
  }
}

const matches = (better: Option, option: Option): boolean =>
  better.vault === option.vault &&
  better.rate <= option.rate &&
  better.lo <= option.lo &&
  better.hi >= option.hi &&
  better.costLo <= option.costLo
