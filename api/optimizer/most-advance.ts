import { larger, smaller } from '../domain/bigint.ts'
import { type Domain, wholeDomain } from './model/domain.ts'
import type { Bounds, Goal } from './model/goal.ts'
import type { Option, Problem } from './model/problem.ts'
import type { Most, Route } from './model/route.ts'
import { reachOf } from './relaxation/advance-bound.ts'
import { builtFrom, choicesOf } from './relaxation/cost-ascents.ts'
import type { Workspace } from './relaxation/workspace.ts'
import { dropDominated } from './search/dominance.ts'
import { search } from './search/search.ts'
import { furthest } from './split/furthest.ts'

/**
 * Proves the maximum of the advance under every bound but the target, as far as it can be. Routes that use up the
 * liquidity are built and compared with the bound first: mostly nothing is left to search.
 */
export function mostAdvance(problem: Problem, bounds: Bounds, space: Workspace): Most {
  const domain = dropDominated(wholeDomain(problem), bounds.maxLegs, false)
  const reach = reachOf(domain, bounds, space.budget)
  let best: Route | undefined
  const found = (atMost: bigint): Most => ({ advance: best?.advance ?? 0n, atMost, route: best })
  /** The least advance that is not reached yet. */
  const next = (): bigint => (best?.advance ?? 0n) + 1n
  const improve = (options: readonly Option[], known?: Route): bigint => {
    const route = furthest(problem, bounds, options, known, space.budget)
    if (route !== undefined && route.advance > (best?.advance ?? 0n)) best = route
    return next()
  }
  const built = builtFrom(domain, bounds.maxLegs, reach.byCost, space.budget)
  for (const options of [...choicesOf([reach.byLiquidity, ...reach.byCost]), ...built]) improve(options)
  const further = (part: Domain): bigint => reachOf(part, bounds, space.budget, next()).most
  const most = smaller(reach.most, further(domain))
  const goal: Goal = {
    ...bounds,
    target: next(),
    cheapest: false,
    accept(route, own) {
      const target = improve(route.options, route)
      return target > most ? undefined : { ...own, target }
    },
  }
  if (goal.target > most) return found(most)
  const { complete, open } = search(domain, goal, space)
  if (complete) return found(next() - 1n)
  return found(smaller(most, (open ?? [domain]).map(further).reduce(larger, next() - 1n)))
}
