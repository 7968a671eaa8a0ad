import type { Option } from '../model/problem.ts'
import type { CompletionLimit } from './completion-bound.ts'
import type { Pattern } from './patterns.ts'

/** Reduced costs of one relaxation: patterns per shared vault, and the cheapest free option per claim. */
export type ReducedCosts = {
  readonly patterns: readonly (readonly Pattern[])[]
  readonly free: readonly (FreeChoice | undefined)[]
  /** Undefined when every assignment is of interest. */
  readonly limit: CompletionLimit | undefined
}
export type FreeChoice = { readonly option: Option; readonly reducedCost: number }

/** An assignment of least reduced cost: a pattern per shared vault or none, and claims of free options as a mask. */
export type Least = {
  readonly reducedCost: number
  readonly traced: readonly (Pattern | undefined)[]
  readonly taken: number
}
