/**
 * The work that one search may still do, shared by its phases. Work is counted, never timed, so results do not vary.
 * The unit is a step of the innermost loop over tables, a nanosecond or two.
 */
export type WorkBudget = { steps: number; nodesVisited: number }

/** Steps per unit of each kind of work, about in proportion to the time that it takes. */
const STEPS = {
  /** A set of claims in a table. */
  set: 2,
  /** An option in one step of an ascent. */
  ascentOption: 6,
  /** The completion of a set by free options. */
  completion: 24,
  /** An option that is tried as an addition to a constructed assignment. */
  additionOption: 40,
  /** The reduced cost of a pattern. */
  pattern: 150,
  /** A set of lots of one vault. */
  vaultLots: 60,
  /** An assignment that is enumerated, its split not counted. */
  assignment: 100,
  /** An option of a node, the node's tables not counted. */
  nodeOption: 400,
  /** A step of the split of one assignment, in bigint. */
  splitStep: 400,
} as const

export type WorkKind = keyof typeof STEPS

/** Up to two seconds of one core; see bench/optimizer/README.md. */
const STEP_LIMIT = 440_000_000

export const newWorkBudget = (steps = STEP_LIMIT): WorkBudget => ({ steps, nodesVisited: 0 })

export function spend(budget: WorkBudget, kind: WorkKind, amount: number): void {
  budget.steps -= STEPS[kind] * amount
}

export const isSpent = (budget: WorkBudget): boolean => budget.steps <= 0

/** How much work of a kind is left. */
export function unitsLeft(budget: WorkBudget, kind: WorkKind): number {
  return Math.max(0, Math.floor(budget.steps / STEPS[kind]))
}

/** Raises what is left to at least `steps`. */
export function raiseTo(budget: WorkBudget, steps: number): void {
  budget.steps = Math.max(budget.steps, steps)
}

/** Steps of the split of one assignment; a hard split ends as unknown when they run out. */
export type SplitBudget = { steps: number; inconclusive: boolean }

/** Takes one step; false when none was left. */
export const takeStep = (budget: SplitBudget): boolean => budget.steps-- > 0

export function takeSteps(budget: SplitBudget, steps: number): void {
  budget.steps -= steps
}

/** Steps of a split that take as long as this many steps over a table. */
export const splitSteps = (tableSteps: number): number => Math.ceil(tableSteps / STEPS.splitStep)
