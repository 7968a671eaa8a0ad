import type { Domain } from '../model/domain.ts'
import type { Option } from '../model/problem.ts'

/**
 * Pruning rule: where a claim is not used, no claim need be used whose every option is matched by one of the unused
 * claim's, in the same vault, at no higher rate and for every advance.
 * Proof: a route with the other claim and without this one becomes, with the leg moved from one to the other, a route
 * with this claim at the same advances, no higher cost and no more legs. It belongs to the part of the tree in which
 * the claim is used. In a series of alike claims, this leaves the number that is used, and not which of them.
 */
export function outclassed(domain: Domain, unused: readonly Option[]): Domain {
  return {
    ...domain,
    options: domain.options.map((list, claim) =>
      domain.required[claim] !== true && matchesAll(unused, list) ? [] : list,
    ),
  }
}

/**
 * Pruning rule: a claim need not be used when at least as many optional claims match all of its options as there are
 * legs left for optional claims.
 * Proof: a route with the claim leaves at least one of them unused. To move the leg to that one keeps the advances,
 * costs no more and takes no more face. Each move goes to a claim that is better or, of alike ones, earlier, so the
 * moves end. With `keepOrder` only earlier claims count, so that a move never worsens the last ranking key either. In a
 * series of claims with one due date, this leaves the largest \`maxLegs\`.
 */
export function dropOutclassed(domain: Domain, maxLegs: number, keepOrder: boolean): Domain {
  const required = domain.required.filter(Boolean).length
  const optional = domain.options.flatMap((list, claim) =>
    domain.required[claim] === true || list.length === 0 ? [] : [{ list, claim }],
  )
  if (optional.length <= maxLegs - required) return domain
  const isNeeded = (list: readonly Option[], claim: number): boolean => {
    if (domain.required[claim] === true) return true
    const better = optional.filter((other) => {
      const isEarlier = other.claim < claim
      if (other.claim === claim || (keepOrder && !isEarlier) || !matchesAll(other.list, list)) return false
      return isEarlier || !matchesAll(list, other.list)
    })
    return better.length < maxLegs - required
  }
  return {
    ...domain,
    options: domain.options.map((list, claim) => (isNeeded(list, claim) ? list : [])),
  }
}

/** Whether each of a claim's options is matched by one of another claim's. */
const matchesAll = (better: readonly Option[], options: readonly Option[]): boolean =>
  options.every((option) => better.some((one) => matches(one, option)))

/**
 * Pruning rule: once a claim has been tried in a vault, a claim need not be tried there that could change places with
 * it.
 * Proof: let `tried` be the options of the claim, \`first\` that of the vault already tried. A route with another claim
 * in that vault and this one in another becomes, with the two legs exchanged, a route of the branch already tried, if
 * this claim takes what the other takes in the vault, and the other what this one takes elsewhere: at the same advances
 * and no higher cost.
 */
export function withoutExchanges(domain: Domain, tried: readonly Option[], first: Option): Domain {
  const rest = tried.filter((option) => option !== first)
  const isExchangeable = (option: Option, list: readonly Option[]): boolean =>
    option.claim !== first.claim && matches(first, option) && matchesAll(list, rest)
  return {
    ...domain,
    options: domain.options.map((list) => list.filter((option) => !isExchangeable(option, list))),
  }
}

/** A leg moves to another claim only where no limit of another issuer binds: within a group, its face does not grow. */
const matches = (better: Option, option: Option): boolean =>
  better.vault === option.vault &&
  (better.group === undefined || better.group === option.group) &&
  covers(better, option)

/** Whether an option allows every advance that another one allows, at no higher cost. */
export const covers = (better: Option, option: Option): boolean =>
  better.rate <= option.rate &&
  better.lo <= option.lo &&
  better.hi >= option.hi &&
  better.costLo <= option.costLo
