import { larger, smaller } from '../domain/bigint.ts'
import { greedyRoute, relaxedCost } from './greedy.ts'
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
  if (filled !== undefined) return beyondFill(problem, bounds, filled, space)
  const least = leastUncapped(problem, bounds, space)
  if (isBeyondCaps(bounds, least)) return { best: undefined, proven: true, lowerBound: least }
  return bestBySearch(problem, bounds, space)
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

/**
 * A lower bound on the cost of any route to the target, without the caps: the better of the two bounds of a fill; 0
 * without a fill.
 */
function leastUncapped(problem: Problem, bounds: Bounds, space: Workspace): bigint {
  const uncapped = { ...bounds, maxCost: undefined, maxFace: undefined }
  const filled = greedyRoute(problem, uncapped)
  return filled === undefined ? 0n : leastCost(problem, uncapped, filled, space)
}

/** Face is advance plus cost, so a route to the target has at least the face of the target and that cost. */
function isBeyondCaps({ target, maxCost, maxFace }: Bounds, least: bigint): boolean {
  return (maxCost !== undefined && least > maxCost) || (maxFace !== undefined && target + least > maxFace)
}

/** What no route costs less than, by two relaxations: the first ignores liquidity, the second rounding. */
function leastCost(problem: Problem, bounds: Bounds, { cost }: Route, { budget }: Workspace): bigint {
  const { target, maxLegs } = bounds
  const domain = wholeDomain(problem)
  const aim = { target: Number(target), level: Number(cost), objective: 'cost' as const, maxLegs }
  const [{ multipliers }] = costAscents(problem, domain, aim, budget)
  const byMultipliers = leastCostAt(problem, domain, bounds, multipliers)
  return larger(relaxedCost(problem, bounds) ?? 0n, byMultipliers ?? 0n)
}
