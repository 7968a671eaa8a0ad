import { larger, smaller } from '../domain/bigint.ts'
import { alternate } from './alternate.ts'
import { hasFixedLotsOnly } from './fixed-lots/lot-problem.ts'
import { mostByLots } from './fixed-lots/solve.ts'
import type { Bounds } from './model/bounds.ts'
import { type Domain, wholeDomain } from './model/domain.ts'
import { EXACT_SEARCH_MAX_CLAIMS } from './model/exact-search.ts'
import { type Goal, UNBOUNDED } from './model/goal.ts'
import type { Option, Problem } from './model/problem.ts'
import type { Route } from './model/route.ts'
import type { Most } from './model/solution.ts'
import { mostAdvanceWithin, reachOf } from './relaxation/advance-bound.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { dropDominated } from './search/dominance.ts'
import { search } from './search/search.ts'
import { furthest } from './split/furthest.ts'

/** The maximum of the advance under every bound but the target, as far as it can be proven. */
export function mostAdvance(problem: Problem, bounds: Bounds, space: Workspace): Most {
  if (!hasFixedLotsOnly(problem) || problem.claims.length > EXACT_SEARCH_MAX_CLAIMS)
    return mostBySearch(problem, bounds, space)
  let most: Most = { advance: 0n, atMost: UNBOUNDED, route: undefined, isBestRanked: false }
  alternate(
    space,
    (part) => {
      most = nearer(most, mostBySearch(problem, bounds, part))
      return isProven(most)
    },
    (budget) => {
      const byLots = mostByLots(problem, bounds, budget)
      if (byLots !== undefined) most = nearer(most, byLots)
      return isProven(most)
    },
  )
  return most
}

const isProven = ({ advance, atMost }: Most): boolean => advance === atMost

function nearer(known: Most, more: Most): Most {
  const isBetter = more.advance > known.advance || (more.advance === known.advance && more.isBestRanked)
  return { ...(isBetter ? more : known), atMost: smaller(known.atMost, more.atMost) }
}

/**
 * What can be had is built and held against the bound first: mostly it is the liquidity, and nothing is left to search.
 */
function mostBySearch(problem: Problem, bounds: Bounds, space: Workspace): Most {
  const domain = dropDominated(problem, wholeDomain(problem), bounds.maxLegs, false)
  const reach = reachOf(problem, domain, bounds, space.budget)
  let best: Route | undefined
  const found = (atMost: bigint): Most => {
    return { advance: best?.advance ?? 0n, atMost, route: best, isBestRanked: false }
  }
  /** The least advance that is not reached yet. */
  const next = (): bigint => (best?.advance ?? 0n) + 1n
  const look = (options: readonly Option[], known?: Route): bigint => {
    const route = furthest(problem, bounds, options, known, space.budget)
    if (route !== undefined && route.advance > (best?.advance ?? 0n)) best = route
    return next()
  }
  for (const options of reach.assignments) look(options)
  const further = (part: Domain): bigint => {
    return mostAdvanceWithin(problem, part, bounds, next(), space.budget)
  }
  const most = smaller(reach.most, further(domain))
  const goal: Goal = {
    target: next(),
    ceiling: bounds.maxCost,
    maxFace: bounds.maxFace,
    maxLegs: bounds.maxLegs,
    cheapest: false,
    accept(route, own) {
      const target = look(route.options, route)
      return target > most ? undefined : { ...own, target }
    },
  }
  if (goal.target > most) return found(most)
  const { complete, open } = search(problem, domain, goal, space)
  if (complete) return found(next() - 1n)
  return found(smaller(most, (open ?? [domain]).map(further).reduce(larger, next() - 1n)))
}
