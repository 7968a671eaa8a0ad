import { larger, smaller } from '../domain/bigint.ts'
import type { Bounds } from './model/bounds.ts'
import { wholeDomain } from './model/domain.ts'
import type { Problem } from './model/problem.ts'
import type { Route } from './model/route.ts'
import { type Best, gapOf } from './model/solution.ts'
import type { WorkBudget } from './model/work-budget.ts'
import { costAscents } from './relaxation/cost-ascents.ts'
import { leastCostAt } from './relaxation/exact-multiplier-bound.ts'
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
  const least = leastCost(problem, bounds, route.cost, budget)
  return gapOf({ ...found, lowerBound: larger(found.lowerBound, least) }, route)
}

/** No route costs less. */
function leastCost(problem: Problem, bounds: Bounds, level: bigint, budget: WorkBudget): bigint {
  const { target, maxLegs } = bounds
  const domain = wholeDomain(problem)
  const aim = { target: Number(target), level: Number(level), objective: 'cost' as const, maxLegs }
  const [{ multipliers }] = costAscents(problem, domain, aim, budget)
  const leastLot = problem.options
    .flat()
    .map(({ costLo }) => costLo)
    .reduce(smaller)
  return larger(leastLot, leastCostAt(problem, domain, bounds, multipliers) ?? 0n)
}
