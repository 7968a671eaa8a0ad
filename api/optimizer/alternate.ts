import { allot, type WorkBudget } from './model/work-budget.ts'
import type { Workspace } from './relaxation/workspace.ts'

/** Where the relaxation is tight, branch and bound needs less than this. */
const FIRST_TRY = 25_000_000

/** Partial routes that meeting in the middle may pass through or look up. */
const LOT_STEPS = 130_000_000

/**
 * Runs the two solvers of fixed lots alternately until one returns true: branch and bound with a small budget, then
 * meeting in the middle, then branch and bound with the rest of the budget.
 */
export function alternate(
  space: Workspace,
  search: (part: Workspace) => boolean,
  meet: (budget: WorkBudget) => boolean,
): void {
  const { budget } = space
  if (allot(budget, 'set', FIRST_TRY, (part) => search({ ...space, budget: part }))) return
  if (allot(budget, 'lotStep', LOT_STEPS, meet)) return
  search(space)
}
