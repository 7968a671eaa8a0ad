import { smaller, sum } from '../../domain/bigint.ts'
import type { Bounds } from '../model/goal.ts'
import { capacityOf } from '../model/groups.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { Route } from '../model/route.ts'
import { isSpent, type WorkBudget } from '../model/work-budget.ts'
import { anySplit } from './split.ts'

/**
 * The route over these legs that advances most under the caps: the least cost and face only grow with the target, so
 * halving works. `from` is a route known to keep to the caps. Without one, undefined when no advance does.
 */
export function furthest(
  problem: Problem,
  bounds: Bounds,
  options: readonly Option[],
  from: Route | undefined,
  budget: WorkBudget,
): Route | undefined {
  let route = from
  const reaches = (target: bigint): boolean => {
    const split = anySplit(problem, options, { ...bounds, target }, budget)
    if (split.kind !== 'route') return false
    if (route === undefined || split.route.advance > route.advance) route = split.route
    return true
  }
  let low = from?.advance ?? 0n
  let high = mostOf(problem, options)
  if (high <= low || reaches(high)) return route
  while (low < high && !isSpent(budget)) {
    const middle = (low + high + 1n) / 2n
    if (reaches(middle)) low = middle
    else high = middle - 1n
  }
  return route
}

/** Sums the advance of the legs in their largest lots, as far as liquidity and the limits of groups go. */
function mostOf(problem: Problem, options: readonly Option[]): bigint {
  const vaults = [...new Set(options.map(({ vault }) => vault))]
  return sum(
    vaults.map((vault) => {
      const legs = options.filter((option) => option.vault === vault)
      return smaller(sum(legs.map(({ hi }) => hi)), capacityOf(problem, vault, legs))
    }),
  )
}
