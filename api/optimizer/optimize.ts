import { larger } from '../domain/discount.ts'
import { MAX_LEGS } from '../domain/limits.ts'
import { bestRanked } from './best-ranked.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { wholeDomain } from './domain.ts'
import { dropDominated } from './dominance.ts'
import { OptimizerExhausted } from './errors.ts'
import { newFuse } from './fuse.ts'
import { UNBOUNDED } from './goal.ts'
import { greedyRoute, relaxedCost } from './greedy.ts'
import { EXACT_SEARCH_MAX_CLAIMS } from './limits.ts'
import { mostAdvance } from './most-advance.ts'
import { anyRoute } from './phases.ts'
import { buildProblem, type Problem } from './problem.ts'
import { type Route, toAllocation } from './route.ts'
import type { NonExecutableReason, OptimizeInput, RouteResult } from './types.ts'
import { newWorkspace, type Workspace } from './workspace.ts'

/**
 * The best-ranked route that reaches the target, or why there is none. Pure and deterministic: the same input gives the
 * same result whatever the order of its candidates. Interface specification, section 4, "Optimizer rules".
 * @throws InvalidOptimizeInput on a negative amount or a target that is not positive
 * @throws OptimizerExhausted when the work fuse blows with neither a route nor a proof that there is none
 */
export function optimizeRoute(input: OptimizeInput): RouteResult {
  const problem = buildProblem(input)
  const bounds = boundsOf(input, MAX_LEGS)
  const space = newWorkspace(newFuse())
  if (problem.claims.length > EXACT_SEARCH_MAX_CLAIMS) return manyClaims(problem, bounds, space)
  const { best, proven, lowerBound } = bestRanked(problem, bounds, space)
  if (best !== undefined) return executable(problem, best, proven ? 0n : larger(best.cost - lowerBound, 1n))
  if (!proven) throw new OptimizerExhausted(space.fuse.nodesVisited)
  return nonExecutable(input, problem, bounds, space)
}

/**
 * Above the limit of the exact search. When greed finds nothing, the claims that could advance most are searched
 * exactly; what they reach is a route, and a target beyond the relaxation is proof that there is none.
 */
function manyClaims(problem: Problem, bounds: Bounds, space: Workspace): RouteResult {
  const floor = relaxedCost(problem, bounds)
  const largest = largestClaims(problem, EXACT_SEARCH_MAX_CLAIMS)
  const route = greedyRoute(problem, bounds) ?? bestRanked(largest, bounds, space).best
  if (route !== undefined) {
    const provenGap = larger(route.cost - (floor ?? 0n), 1n)
    return executable(problem, route, provenGap)
  }
  const capped = floor !== undefined && bounds.maxCost !== undefined && floor > bounds.maxCost
  const reachable = capped ? greedyRoute(problem, { ...bounds, maxCost: undefined }) : undefined
  if (floor !== undefined && reachable === undefined) throw new OptimizerExhausted(space.fuse.nodesVisited)
  const reason = floor === undefined ? 'TARGET_UNSATISFIABLE' : 'MAX_COST_EXCEEDED'
  return nonExecutableBecause(reason, largest, bounds, space)
}

/** The same problem with the options of all but the claims that could advance most left out. */
function largestClaims(problem: Problem, count: number): Problem {
  const reach = problem.options.map((list) => list.reduce((most, { hi }) => larger(most, hi), 0n))
  const rank = (a: number, b: number): number => {
    const [left, right] = [reach[a] ?? 0n, reach[b] ?? 0n]
    return left < right ? 1 : left > right ? -1 : a - b
  }
  const kept = new Set([...reach.keys()].sort(rank).slice(0, count))
  return { ...problem, options: problem.options.map((list, claim) => (kept.has(claim) ? list : [])) }
}

/** A gap of 0 means exact in every ranking key; a route whose cost alone is proven least still reports 1. */
export function executable(problem: Problem, route: Route, provenGap: bigint): RouteResult {
  return {
    executable: true,
    approximation: provenGap === 0n ? 'exact' : 'greedy',
    explanation: { strategy: provenGap === 0n ? 'bounded-exact' : 'greedy-degraded', provenGap },
    ...toAllocation(problem, route),
  }
}

function nonExecutable(
  input: OptimizeInput,
  problem: Problem,
  bounds: Bounds,
  space: Workspace,
): RouteResult {
  return nonExecutableBecause(reasonFor(input, problem, bounds, space), problem, bounds, space)
}

function nonExecutableBecause(
  reason: NonExecutableReason,
  problem: Problem,
  bounds: Bounds,
  space: Workspace,
): RouteResult {
  const most = mostAdvance(problem, bounds, space)
  if (!most.proven) throw new OptimizerExhausted(space.fuse.nodesVisited)
  const shortfall = { shortfallAdvance: bounds.target - most.advance, maxAchievableAdvance: most.advance }
  if (most.advance === 0n) return { executable: false, reason, ...shortfall }
  const partial = most.best ?? provenBest(problem, { ...bounds, target: most.advance }, space)
  return { executable: false, reason, ...shortfall, bestFeasiblePartial: toAllocation(problem, partial) }
}

function provenBest(problem: Problem, bounds: Bounds, space: Workspace): Route {
  const { best, proven } = bestRanked(problem, bounds, space)
  if (best === undefined || !proven) throw new OptimizerExhausted(space.fuse.nodesVisited)
  return best
}

/** MAX_COST_EXCEEDED when a route exists once maxTotalCost alone is ignored. */
function reasonFor(
  input: OptimizeInput,
  problem: Problem,
  bounds: Bounds,
  space: Workspace,
): NonExecutableReason {
  if (input.candidates.length === 0) return 'NO_ELIGIBLE_CANDIDATES'
  if (bounds.maxCost === undefined) return 'TARGET_UNSATISFIABLE'
  const domain = dropDominated(problem, wholeDomain(problem), bounds.maxLegs, false)
  const { maxLegs, maxFace } = bounds
  const uncapped = anyRoute(problem, domain, bounds, UNBOUNDED, { maxLegs, maxFace }, space)
  if (uncapped.route !== undefined) return 'MAX_COST_EXCEEDED'
  if (!uncapped.proven) throw new OptimizerExhausted(space.fuse.nodesVisited)
  return 'TARGET_UNSATISFIABLE'
}
