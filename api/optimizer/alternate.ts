import { allot, type WorkBudget } from './model/work-budget.ts'
import type { Workspace } from './relaxation/workspace.ts'

/** Where the relaxation is tight, branch and bound needs less than this. */
const FIRST_TRY = 25_000_000

/** Steps that meeting in the middle may take, and how many table steps one takes as long as. */
const LOT_STEPS = 130_000_000
const LOT_STEP = 4

/**
 * Runs the two solvers of fixed lots alternately until one returns true: branch and bound with a small budget, then
 * meeting in the middle, then branch and bound with the rest of the budget.
 */
export function alternate(
  space: Workspace,
  search: (part: Workspace) => boolean,
  meet: (work: WorkBudget) => boolean,
): void {
  const { budget } = space
  if (allot(budget, FIRST_TRY, 1, (part) => search({ ...space, budget: part }))) return
  if (allot(budget, LOT_STEPS, LOT_STEP, meet)) return
  search(space)
}
