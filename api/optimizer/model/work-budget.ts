/**
 * What one optimization may still do, shared by its phases. Work is counted, never timed, so that results do not vary.
 * The unit is a step of the innermost loop over tables, a nanosecond or two.
 */
export type WorkBudget = { steps: number; nodesVisited: number }

export const newWorkBudget = (steps = STEP_LIMIT): WorkBudget => ({ steps, nodesVisited: 0 })

/** About two seconds of one core where it was measured; see bench/optimizer/README.md. */
const STEP_LIMIT = 700_000_000

/** Steps of the inner problem, in bigint; a hard split ends as unknown when they run out. */
export type SplitBudget = { steps: number; inconclusive: boolean }

/** How many table steps take as long as one step in bigint. */
const BIGINT_STEP = 400

export function charge(budget: WorkBudget, bigintSteps: number): void {
  budget.steps -= bigintSteps * BIGINT_STEP
}

/** Lets `run` take up to `steps` of its own kind, of which each takes as long as `price` steps of the budget. */
export function allot<T>(budget: WorkBudget, steps: number, price: number, run: (part: WorkBudget) => T): T {
  const part = newWorkBudget(Math.max(0, Math.min(steps, Math.floor(budget.steps / price))))
  const given = part.steps
  const result = run(part)
  budget.steps -= (given - part.steps) * price
  budget.nodesVisited += part.nodesVisited
  return result
}
