import { type Bounds, boundsOf } from './bounds.ts'
import { bestRoute, mostAdvance } from './enumerate.ts'
import { MAX_LEGS } from './limits.ts'
import { buildProblem } from './problem.ts'
import { toAllocation } from './route.ts'
import type { OptimizeInput, RouteResult } from './types.ts'

export { InvalidOptimizeInput, OptimizerExhausted } from './errors.ts'
export { EXACT_SEARCH_MAX_CLAIMS, MAX_LEGS } from './limits.ts'
export type * from './types.ts'

export function optimizeRoute(input: OptimizeInput): RouteResult {
  const problem = buildProblem(input)
  const bounds = boundsOf(input, MAX_LEGS)
  const route = bestRoute(problem, bounds)
  if (route !== undefined) {
    return {
      executable: true,
      approximation: 'exact',
      explanation: { strategy: 'bounded-exact', provenGap: 0n },
      ...toAllocation(problem, route),
    }
  }
  const most = mostAdvance(problem, bounds)
  const partial = most > 0n ? bestRoute(problem, { ...bounds, target: most }) : undefined
  const uncapped: Bounds = { ...bounds, maxCost: undefined }
  const reason =
    input.candidates.length === 0
      ? 'NO_ELIGIBLE_CANDIDATES'
      : bestRoute(problem, uncapped) !== undefined
        ? 'MAX_COST_EXCEEDED'
        : 'TARGET_UNSATISFIABLE'
  return {
    executable: false,
    reason,
    shortfallAdvance: input.targetAdvance - most,
    maxAchievableAdvance: most,
    ...(partial === undefined ? {} : { bestFeasiblePartial: toAllocation(problem, partial) }),
  }
}
