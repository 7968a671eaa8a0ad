import { greedyRoute } from './greedy.ts'
import type { Bounds } from './model/bounds.ts'
import type { Problem } from './model/problem.ts'
import { compareRoutes } from './model/route.ts'
import type { Best } from './model/solution.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { bestBySearch } from './search/phases.ts'

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
