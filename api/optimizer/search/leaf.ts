import type { Domain } from '../model/domain.ts'
import type { Goal } from '../model/goal.ts'
import type { Option, Problem } from '../model/problem.ts'
import type { Route } from '../model/route.ts'
import { isSpent, spend } from '../model/work-budget.ts'
import type { Workspace } from '../relaxation/workspace.ts'
import { anySplit, cheapestSplit, type Split } from '../split/split.ts'
import type { WideHints } from './branch.ts'
import { countAssignments, visitAssignments } from './enumerate.ts'

/** How far one search has come. */
export type Progress = {
  readonly problem: Problem
  /** Tightened with the routes that are found. */
  goal: Goal
  readonly space: Workspace
  /** Assignments offered before. */
  readonly tried: Set<string>
  stopped: boolean
  /** Whether nodes are split on the legs of a vault first, at any number of vaults. */
  legsFirst: boolean
  /** The least cost that a split which stayed unknown may have. */
  unresolved?: bigint | undefined
  /** The multipliers of the first wide node. */
  wide?: WideHints
}

/** Below this, going through the assignments one by one is cheaper than bounding them. */
export const FEW_ASSIGNMENTS = 256

/** Decides every assignment of a small domain; what the budget leaves undone costs at least `floor`. */
export function settleAll(progress: Progress, domain: Domain, floor: bigint): void {
  spend(progress.space.budget, 'assignment', countAssignments(domain, Number.MAX_SAFE_INTEGER))
  const visit = (options: readonly Option[]): void => {
    if (!progress.stopped) settle(progress, options, floor)
  }
  visitAssignments(domain, () => progress.goal, visit)
}

/** A leaf: its cheapest split decides exactly. */
function settle(progress: Progress, options: readonly Option[], floor: bigint): void {
  const { goal, space } = progress
  if (isSpent(space.budget)) {
    leaveOpen(progress, floor)
    return
  }
  const split = splitFor(progress, options)
  if (split.kind === 'unknown') leaveOpen(progress, split.lowerBound)
  if (split.kind !== 'route') return
  if (split.lowerBound < split.route.cost) leaveOpen(progress, split.lowerBound)
  accept(progress, split.route)
  if (progress.goal.target !== goal.target) settle(progress, options, floor)
}

function accept(progress: Progress, route: Route): void {
  const goal = progress.goal.accept(route, progress.goal)
  if (goal === undefined) progress.stopped = true
  else progress.goal = goal
}

function splitFor({ goal, problem, space }: Progress, options: readonly Option[]): Split {
  const split = goal.cheapest ? cheapestSplit : anySplit
  return split(problem, options, goal, space.budget)
}

function leaveOpen(progress: Progress, lowerBound: bigint): void {
  if (progress.unresolved === undefined || lowerBound < progress.unresolved) progress.unresolved = lowerBound
}

/** A minimizer of the relaxation is an assignment; its cheapest split is often the best route of the node. */
export function offer(progress: Progress, options: readonly Option[]): void {
  const { goal } = progress
  const key = options.map(({ claim, vault, rate, minFace }) => `${claim}:${vault}:${rate}:${minFace}`).join()
  if (progress.stopped || progress.tried.has(key) || options.length > goal.maxLegs) return
  progress.tried.add(key)
  const split = splitFor(progress, options)
  if (split.kind === 'route') accept(progress, split.route)
}
