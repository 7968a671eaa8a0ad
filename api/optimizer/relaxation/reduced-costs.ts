import type { CompletionLimit } from './completion-bound.ts'
import type { Pattern } from './patterns.ts'

/** Free reduced cost of each claim; infinite without a free option. */
export type FreeCosts = readonly number[]

/** Reduced costs of one relaxation: patterns per shared vault, and the cheapest free option per claim, if any. */
export type ReducedCosts = {
  readonly patterns: readonly (readonly Pattern[])[]
  readonly free: FreeCosts
  /** Undefined when every assignment is of interest. */
  readonly limit: CompletionLimit | undefined
}

/** An assignment of least reduced cost: a pattern per shared vault or none, and claims of free options as a mask. */
export type Least = {
  readonly reducedCost: number
  readonly traced: readonly (Pattern | undefined)[]
  readonly taken: number
}
