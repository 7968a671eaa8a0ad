import { smaller } from '../domain/discount.ts'
import type { Domain } from './domain.ts'
import type { Option } from './problem.ts'

/**
 * Pruning rule: an option is dropped when its least face, with the least faces of the claims that have to be used besides, exceeds
 * the cap on the face.
 * Proof: every leg takes at least its least face, and what other legs take only adds to it. The bounds on cost do not see this where
 * the least lots advance more than the target.
 */
export function withinFace(domain: Domain, maxFace: bigint | undefined): Domain {
  if (maxFace === undefined) return domain
  const least = domain.options.map((list, claim) => (domain.required[claim] === true ? leastFace(list) : 0n))
  const all = least.reduce((sum, face) => sum + face, 0n)
  const fits = (option: Option, claim: number): boolean =>
    all - (least[claim] ?? 0n) + option.minFace <= maxFace
  return {
    ...domain,
    options: domain.options.map((list, claim) => list.filter((option) => fits(option, claim))),
  }
}

function leastFace(list: readonly Option[]): bigint {
  const [first, ...rest] = list
  return rest.reduce((least, { minFace }) => smaller(least, minFace), first?.minFace ?? 0n)
}
