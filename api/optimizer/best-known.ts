import { larger } from '../domain/bigint.ts'
import { greedyRoute } from './greedy.ts'
import { wholeDomain } from './model/domain.ts'
import type { Bounds } from './model/goal.ts'
import { isMany, type Problem } from './model/problem.ts'
import { type Best, compareRoutes, gapOf, type Route } from './model/route.ts'
import { leastCostTowards } from './relaxation/cost-ascents.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { bestBySearch } from './search/phases.ts'

export function bestKnown(problem: Problem, bounds: Bounds, space: Workspace): Best {
  return isMany(problem) ? bestOfMany(problem, bounds, space) : bestBySearch(problem, bounds, space)
}

/**
 * Above the limit of the exact search: the specification's fill, and the search over all claims for a route that ranks
 * before it. So the route is never absent where the fill exists, and never costs more. `proven` states that there is no
 * route, or that it is the best-ranked one.
 */
export function bestOfMany(problem: Problem, bounds: Bounds, space: Workspace): Best {
  const filled = greedyRoute(problem, bounds)
  if (filled === undefined) return bestBySearch(problem, bounds, space)
  // The fill is within its own cost, so a search that ends finds a route: the best-ranked one, be it the fill.
  const searched = bestBySearch(problem, { ...bounds, maxCost: filled.cost }, space)
  const isBetter = searched.best !== undefined && compareRoutes(searched.best, filled) <= 0
  return isBetter ? searched : { ...searched, best: filled, proven: false }
}

/**
 * The most by which a route costs more than the best one. The multipliers are improved towards the cost of the route,
 * because a search that found it late has open nodes from when it knew no ceiling.
 */
export function provenGapOf(
  problem: Problem,
  bounds: Bounds,
  found: Best,
  route: Route,
  { budget }: Workspace,
): bigint {
  if (found.proven) return 0n
  const least = leastCostTowards(wholeDomain(problem), { ...bounds, level: route.cost }, budget)
  return gapOf({ ...found, lowerBound: larger(found.lowerBound, least) }, route)
}
