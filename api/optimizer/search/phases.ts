import { smaller } from '../../domain/bigint.ts'
import { type Domain, wholeDomain, withClaim } from '../model/domain.ts'
import type { Bounds, Goal } from '../model/goal.ts'
import type { Option, Problem } from '../model/problem.ts'
import { type Best, comparePairs, compareRoutes, type Route } from '../model/route.ts'
import { raiseTo } from '../model/work-budget.ts'
import type { Workspace } from '../relaxation/workspace.ts'
import { anySplit } from '../split/split.ts'
import type { WideHints } from './branch.ts'
import { dropOutclassed } from './claim-order.ts'
import { dropDominated } from './dominance.ts'
import { FEW_ASSIGNMENTS } from './leaf.ts'
import { narrow, type SearchOutcome, search } from './search.ts'

/** The best-ranked route by branch and bound: cost first, then, at that cost, legs, face and pairs. */
export function bestBySearch(problem: Problem, bounds: Bounds, space: Workspace): Best {
  const cheapest = cheapestRoute(problem, bounds, space)
  if (cheapest.best === undefined || !cheapest.proven) return cheapest
  raiseTo(space.budget, space.rankSteps)
  const { route, proven } = firstAmongEquals(problem, bounds, cheapest.best, space, cheapest.wide)
  return { best: splitAnew(problem, bounds, route, space), proven, lowerBound: route.cost }
}

/** Splits a route anew over its legs and at its cost, so that its faces do not depend on how the search found it. */
function splitAnew(problem: Problem, bounds: Bounds, route: Route, space: Workspace): Route {
  const split = anySplit(problem, route.options, { ...bounds, maxCost: route.cost }, space.budget)
  return split.kind === 'route' && compareRoutes(split.route, route) === 0 ? split.route : route
}

/** Finds the first by legs, face and pairs among the routes at the least cost: each key has searches of its own. */
function firstAmongEquals(
  problem: Problem,
  bounds: Bounds,
  cheapest: Route,
  space: Workspace,
  wide: WideHints | undefined,
): Phase {
  const undominated = dropDominated(wholeDomain(problem), bounds.maxLegs, true)
  const ties = narrow(undominated, { ...bounds, maxCost: cheapest.cost }, space)
  if (ties === undefined) return { route: cheapest, proven: true }
  let start = wide
  const find: Find = (domain, limits, within) => {
    const found = anyRoute(domain, limits, within, start)
    start = found.wide ?? start
    return found
  }
  const shortest = fewestLegs(find, ties, bounds, cheapest, space)
  const slimmest = leastFace(find, ties, bounds, shortest.route, space)
  const first = firstPairs(find, ties, bounds, slimmest.route, space)
  return { route: first.route, proven: shortest.proven && slimmest.proven && first.proven }
}

type Cheapest = Best & Pick<SearchOutcome, 'wide'>

/** The least cost, without regard to what comes after it in the ranking. */
function cheapestRoute(problem: Problem, bounds: Bounds, space: Workspace): Cheapest {
  /** Each cheaper than the one before. */
  const found: Route[] = []
  const goal: Goal = {
    ...bounds,
    cheapest: true,
    accept(route, own) {
      found.push(route)
      return route.cost === 0n ? undefined : { ...own, maxCost: route.cost - 1n }
    },
  }
  const domain = dropDominated(wholeDomain(problem), bounds.maxLegs, false)
  const outcome = search(domain, goal, space)
  const best = found.at(-1)
  const { wide } = outcome
  if (outcome.complete) return { best, proven: true, lowerBound: best?.cost ?? 0n, wide }
  const lowerBound = best === undefined ? outcome.lowerBound : smaller(outcome.lowerBound, best.cost)
  // Nothing cheaper can hide below the route's own cost: the open part only ties.
  return { best, proven: best !== undefined && lowerBound === best.cost, lowerBound, wide }
}

type Phase = { readonly route: Route; readonly proven: boolean }

type Found = Pick<SearchOutcome, 'wide'> & { readonly route: Route | undefined; readonly proven: boolean }

/** Finds any route of a part of the ties within the bounds. */
type Find = (domain: Domain, bounds: Bounds, space: Workspace) => Found

/** Any route within the bounds. @param wide as `search` takes it */
export function anyRoute(domain: Domain, bounds: Bounds, space: Workspace, wide?: WideHints): Found {
  let route: Route | undefined
  const goal: Goal = {
    ...bounds,
    cheapest: false,
    accept(found) {
      route = found
      return undefined
    },
  }
  const needed = dropOutclassed(domain, bounds.maxLegs, false)
  const outcome = search(needed, goal, space, FEW_ASSIGNMENTS, wide)
  return { route, proven: outcome.complete, wide: outcome.wide }
}

function fewestLegs(find: Find, ties: Domain, bounds: Bounds, from: Route, space: Workspace): Phase {
  let route = from
  for (;;) {
    const limits = { ...bounds, maxCost: from.cost, maxLegs: route.options.length - 1 }
    const shorter = find(ties, limits, space)
    if (shorter.route === undefined) return { route, proven: shorter.proven }
    route = shorter.route
  }
}

/** Face is cost plus advance, so a route that advances exactly the target has the least face at its cost. */
function leastFace(find: Find, ties: Domain, bounds: Bounds, from: Route, space: Workspace): Phase {
  let route = from
  while (route.advance > bounds.target) {
    const maxLegs = route.options.length
    const limits = { ...bounds, maxCost: route.cost, maxFace: route.face - 1n, maxLegs }
    const slimmer = find(ties, limits, space)
    if (slimmer.route === undefined) return { route, proven: slimmer.proven }
    route = slimmer.route
  }
  return { route, proven: true }
}

/**
 * The least (claimId, vault) sequence among the routes at this cost, leg count and face: pair after pair is fixed to
 * the first one that still leads to such a route. Any route found on the way shortens what is left to test.
 */
function firstPairs(find: Find, ties: Domain, bounds: Bounds, from: Route, space: Workspace): Phase {
  const limits = { ...bounds, maxCost: from.cost, maxFace: from.face, maxLegs: from.options.length }
  let route = from
  let domain = ties
  let proven = true
  for (let claim = 0; claim < ties.options.length; claim++) {
    const all = domain.options[claim] ?? []
    for (;;) {
      const current = route.options.find((option) => option.claim === claim)
      const earlier = all.filter((option) => current === undefined || option.vault < current.vault)
      if (earlier.length === 0) break
      const attempt = withClaim(domain, claim, earlier, true)
      const found = find(attempt, limits, space)
      proven &&= found.proven
      if (found.route === undefined || comparePairs(found.route.options, route.options) >= 0) break
      route = found.route
    }
    const settled: Option | undefined = route.options.find((option) => option.claim === claim)
    const every = ties.problem.options[claim] ?? []
    const kept = settled === undefined ? [] : every.filter((option) => option.vault === settled.vault)
    domain = withClaim(domain, claim, kept, settled !== undefined)
  }
  return { route, proven }
}
