import { larger } from '../domain/bigint.ts'
import { alternate } from './alternate.ts'
import { hasFixedLotsOnly } from './fixed-lots/lot-problem.ts'
import { bestByLots } from './fixed-lots/solve.ts'
import type { Bounds } from './model/bounds.ts'
import type { Problem } from './model/problem.ts'
import { compareRoutes } from './model/route.ts'
import type { Best } from './model/solution.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { bestBySearch } from './search/phases.ts'

/**
 * The best-ranked route. Fixed lots go to the two solvers alternately until one of them has a proof; without one, the
 * better of their routes and the better of their bounds are the result.
 */
export function bestRanked(problem: Problem, bounds: Bounds, space: Workspace): Best {
  if (!hasFixedLotsOnly(problem)) return bestBySearch(problem, bounds, space)
  let known: Best = { best: undefined, proven: false, lowerBound: 0n }
  const withinKnown = (): Bounds => ({ ...bounds, maxCost: known.best?.cost ?? bounds.maxCost })
  alternate(
    space,
    (part) => {
      known = better(known, bestBySearch(problem, withinKnown(), part))
      return known.proven
    },
    (budget) => {
      const byLots = bestByLots(problem, withinKnown(), budget)
      if (byLots !== undefined) known = better(known, byLots)
      // A sampled route is nearer to the best than any the search has found with a hundred times the work.
      return byLots?.best !== undefined || known.proven
    },
  )
  return known
}

function better(known: Best, more: Best): Best {
  if (more.proven) return more
  const routes = [known.best, more.best].filter((route) => route !== undefined)
  return {
    best: routes.sort(compareRoutes)[0],
    proven: false,
    lowerBound: larger(known.lowerBound, more.lowerBound),
  }
}
