import { larger } from '../domain/bigint.ts'
import type { Bounds } from './model/bounds.ts'
import { wholeDomain } from './model/domain.ts'
import type { Problem } from './model/problem.ts'
import type { Route } from './model/route.ts'
import { type Best, gapOf } from './model/solution.ts'
import { leastCostTowards } from './relaxation/cost-ascents.ts'
import type { Workspace } from './relaxation/workspace.ts'

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
  const least = leastCostTowards(problem, wholeDomain(problem), { ...bounds, level: route.cost }, budget)
  return gapOf({ ...found, lowerBound: larger(found.lowerBound, least) }, route)
}
