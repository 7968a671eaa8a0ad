import { smaller } from '../domain/bigint.ts'
import { MAX_LEGS } from '../domain/limits.ts'
import { bestKnown, provenGapOf } from './best-known.ts'
import { certify } from './certificate.ts'
import { buildProblem } from './model/build-problem.ts'
import { OptimizerExhausted } from './model/errors.ts'
import { type Bounds, boundsOf } from './model/goal.ts'
import { isMany, type Problem } from './model/problem.ts'
import { type Best, compareRoutes, type Most, type Route, toAllocation } from './model/route.ts'
import type { OptimizeInput, PartialRoute, RouteResult } from './model/types.ts'
import { newWorkBudget, raiseTo } from './model/work-budget.ts'
import { mostAdvance } from './most-advance.ts'
import { reasonOf } from './refusal.ts'
import { newWorkspace, type Workspace } from './relaxation/workspace.ts'
import { anySplit } from './split/split.ts'

/**
 * The best-ranked route that reaches the target, or why there is none. Pure and deterministic: the same input gives the
 * same result whatever the order of its candidates. Interface specification, section 4, "Optimizer rules".
 * @throws InvalidOptimizeInput on a negative amount or a target that is not positive
 * @throws OptimizerExhausted when the work budget ends with neither a route nor a proof that there is none
 */
export function optimizeRoute(input: OptimizeInput): RouteResult {
  const result = solve(input)
  if (!input.certify || !result.executable) return result
  const explanation = { ...result.explanation, certificate: certify(input, result.totalCost) }
  return { ...result, explanation }
}

function solve(input: OptimizeInput): RouteResult {
  const problem = buildProblem(input)
  const bounds = boundsOf(input, MAX_LEGS)
  const [steps, mostSteps] = isMany(problem) ? [MANY_STEPS, MANY_STEPS] : [undefined, MOST_STEPS]
  const space = newWorkspace(newWorkBudget(steps))
  const found = bestKnown(problem, bounds, space)
  if (found.best !== undefined) return executable(problem, bounds, found, found.best, space)
  const most = mostAdvance(problem, bounds, withBudget(space, mostSteps))
  const late = found.proven ? undefined : routeAmong(problem, bounds, most, space)
  if (late !== undefined) return executable(problem, bounds, found, late, space)
  if (found.proven || most.atMost < bounds.target) return refuse(problem, bounds, most, space)
  if (isMany(problem)) return decideLast(problem, bounds, most, withBudget(space, LAST_STEPS))
  throw new OptimizerExhausted(space.budget.nodesVisited, most)
}

/** A target above the limit of the exact search that neither search decided: searched again with a larger budget. */
function decideLast(problem: Problem, bounds: Bounds, most: Most, space: Workspace): RouteResult {
  const found = bestKnown(problem, bounds, space)
  if (found.best !== undefined) return executable(problem, bounds, found, found.best, space)
  if (!found.proven) throw new OptimizerExhausted(space.budget.nodesVisited, most)
  raiseTo(space.budget, LAST_PARTIAL_STEPS)
  return refuse(problem, bounds, most, space)
}

const withBudget = (space: Workspace, steps: number): Workspace => ({
  ...space,
  budget: newWorkBudget(steps),
})

/** Work budget of each search above the limit of the exact one, in steps. */
const MANY_STEPS = 80_000_000

/** Work budget of the last search above that limit, in steps. */
const LAST_STEPS = 380_000_000

/** Least work budget of a refusal by that search: its partial route is as hard to find. */
const LAST_PARTIAL_STEPS = 200_000_000

/**
 * Work budget of the search for the maximum up to that limit, in steps. The budget is its own, so that the maximum of a
 * market and its caps does not depend on the target, and a target beyond a proven maximum is always refused.
 */
const MOST_STEPS = 300_000_000

/** Least work budget, in steps, of the reason and of the partial route of a refusal: both are stated, proven or not. */
const LEAST_STEPS = 50_000_000

/** Neither starts a second run, so that a refusal takes no longer for them. */
function withLeastSteps(space: Workspace): Workspace {
  raiseTo(space.budget, LEAST_STEPS)
  return { ...space, firstSteps: Number.POSITIVE_INFINITY }
}

/** Above the limit of the exact search a route is `greedy` even where its gap is 0, as the specification has it. */
function executable(
  problem: Problem,
  bounds: Bounds,
  found: Best,
  route: Route,
  space: Workspace,
): RouteResult {
  const provenGap = provenGapOf(problem, bounds, found, route, space)
  const isExact = provenGap === 0n && !isMany(problem)
  return {
    executable: true,
    approximation: isExact ? 'exact' : 'greedy',
    explanation: { strategy: isExact ? 'bounded-exact' : 'greedy-degraded', provenGap },
    ...toAllocation(problem, route),
  }
}

/** The search for the maximum may come upon a route that the search for the least cost did not. */
function routeAmong(problem: Problem, bounds: Bounds, most: Most, space: Workspace): Route | undefined {
  const { advance, route } = most
  if (route === undefined || advance < bounds.target) return undefined
  const split = anySplit(problem, route.options, bounds, space.budget)
  return split.kind === 'route' ? split.route : route
}

function refuse(problem: Problem, bounds: Bounds, most: Most, space: Workspace): RouteResult {
  const reason = reasonOf(problem, bounds, withLeastSteps(space))
  const partial = most.route && partialOf(problem, bounds, most.route, withLeastSteps(space))
  const advance = partial?.totalAdvance ?? 0n
  return {
    executable: false,
    reason,
    shortfallAdvance: bounds.target - advance,
    maxAchievableAdvance: advance,
    maxAchievableGap: smaller(most.atMost, bounds.target - 1n) - advance,
    ...(partial !== undefined && { bestFeasiblePartial: partial }),
  }
}

/**
 * The best-ranked route that advances as much as any is known to, or the best known. It may advance more where the
 * maximum is not proven: where it costs less for being put together of least lots.
 */
function partialOf(problem: Problem, bounds: Bounds, route: Route, space: Workspace): PartialRoute {
  const atMost = { ...bounds, target: route.advance }
  const known = bestKnown(problem, atMost, space)
  const best = known.best !== undefined && compareRoutes(known.best, route) <= 0 ? known.best : route
  return { ...toAllocation(problem, best), provenGap: provenGapOf(problem, atMost, known, best, space) }
}
