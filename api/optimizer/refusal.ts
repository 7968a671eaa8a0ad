import { greedyRoute } from './greedy.ts'
import { wholeDomain } from './model/domain.ts'
import { type Bounds, UNBOUNDED } from './model/goal.ts'
import type { Problem } from './model/problem.ts'
import type { NonExecutableReason } from './model/types.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { dropDominated } from './search/dominance.ts'
import { anyRoute } from './search/phases.ts'

/**
 * MAX_COST_EXCEEDED when a route is found once maxTotalCost alone is ignored. Where the search for one does not finish,
 * none is known, and the reason is TARGET_UNSATISFIABLE: that the target cannot be reached within the bounds is proven
 * either way.
 */
export function reasonOf(problem: Problem, bounds: Bounds, space: Workspace): NonExecutableReason {
  if (problem.claims.length === 0) return 'NO_ELIGIBLE_CANDIDATES'
  if (bounds.maxCost === undefined) return 'TARGET_UNSATISFIABLE'
  const uncapped = { ...bounds, maxCost: undefined }
  if (greedyRoute(problem, uncapped) !== undefined) return 'MAX_COST_EXCEEDED'
  const domain = dropDominated(wholeDomain(problem), bounds.maxLegs, false)
  const { route } = anyRoute(domain, { ...uncapped, maxCost: UNBOUNDED }, space)
  return route === undefined ? 'TARGET_UNSATISFIABLE' : 'MAX_COST_EXCEEDED'
}
