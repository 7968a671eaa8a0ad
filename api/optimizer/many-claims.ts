import { larger, smaller } from '../domain/bigint.ts'
import { greedyRoute } from './greedy.ts'
import type { Bounds } from './model/bounds.ts'
import { wholeDomain } from './model/domain.ts'
import type { Problem } from './model/problem.ts'
import { compareRoutes, type Route } from './model/route.ts'
import type { Best } from './model/solution.ts'
import { costAscents } from './relaxation/cost-ascents.ts'
import { leastCostAt } from './relaxation/exact-multiplier-bound.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { bestBySearch } from './search/phases.ts'

/**
 * Above the limit of the exact search: the specification's fill, and the search over all claims for a route that ranks
 * before it. So the route is never absent where the fill exists, and never costs more. `proven` states that there is no
 * route, or that it is the best-ranked one.
 */
export function bestOfMany(problem: Problem, bounds: Bounds, space: Workspace): Best {
  const filled = greedyRoute(problem, bounds)
  return filled === undefined
    ? bestBySearch(problem, bounds, space)
    : beyondFill(problem, bounds, filled, space)
}

/** The fill is within its own cost, so a search that ends finds a route: the best-ranked one, be it the fill. */
function beyondFill(problem: Problem, bounds: Bounds, filled: Route, space: Workspace): Best {
  const least = leastCost(problem, bounds, filled, space)
  const searched = bestBySearch(problem, { ...bounds, maxCost: filled.cost }, space)
  const isBetter = searched.best !== undefined && compareRoutes(searched.best, filled) <= 0
  const best = isBetter ? searched.best : filled
  return {
    best,
    proven: searched.proven && isBetter,
    lowerBound: smaller(larger(least, searched.lowerBound), best?.cost ?? least),
  }
}

/** No route costs less. */
function leastCost(problem: Problem, bounds: Bounds, { cost }: Route, { budget }: Workspace): bigint {
  const { target, maxLegs } = bounds
  const domain = wholeDomain(problem)
  const aim = { target: Number(target), level: Number(cost), objective: 'cost' as const, maxLegs }
  const [{ multipliers }] = costAscents(problem, domain, aim, budget)
  return leastCostAt(problem, domain, bounds, multipliers) ?? 0n
}
