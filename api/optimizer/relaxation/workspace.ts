import { MAX_LEGS } from '../../domain/limits.ts'
import type { WorkBudget } from '../model/work-budget.ts'
import type { ReducedCosts } from './patterns.ts'

/** The work budget of a search, and its scratch tables over sets of claims. */
export type Workspace = {
  readonly budget: WorkBudget
  readonly tables: Tables
  /** Claims that compete for vaults, up to which a node is bounded by tables. */
  readonly widest: number
  /** Steps after which a search for the least cost that has found a route, but no proof, starts again. */
  readonly firstSteps: number
  /** Least steps for the ranking of routes of the least cost, once that is proven. */
  readonly rankSteps: number
}

/** A layer per shared vault, and one before the first: see subsets.ts. */
export type Tables = {
  readonly forward: Float64Array[]
  readonly backward: Float64Array[]
  /**
   * Sets in the order in which they were first served. Those that count before each vault, and after the last, are from
   * `reachedFrom` to `reachedTo`, exclusive: they start anew at a vault that must have legs.
   */
  readonly reached: Uint16Array
  readonly reachedFrom: number[]
  readonly reachedTo: number[]
  /** Per set, the least that the claims outside it may add. */
  readonly completionBounds: Float64Array
  /** The object that the forward layers hold the sweep of: a second sweep for the same object is not repeated. */
  sweptFor: ReducedCosts | undefined
  readonly exact: ExactTables
}

/** One layer in whole numbers, and the one before it: see exact-subsets.ts. */
export type ExactTables = {
  readonly high: Float64Array
  readonly low: Float64Array
  readonly highBefore: Float64Array
  readonly lowBefore: Float64Array
  readonly reached: Uint16Array
  readonly reachedBefore: Uint16Array
}

/** Claims that can compete for vaults at once. */
const WIDEST = 12

const FIRST_STEPS = 60_000_000
const RANK_STEPS = 60_000_000

export const newWorkspace = (budget: WorkBudget, widest = WIDEST, firstSteps = FIRST_STEPS): Workspace => ({
  budget,
  tables: newTables(),
  widest,
  firstSteps,
  rankSteps: RANK_STEPS,
})

function newTables(): Tables {
  const size = 1 << WIDEST
  return {
    forward: [],
    backward: [],
    reached: new Uint16Array(size * (MAX_LEGS + 1)),
    reachedFrom: [],
    reachedTo: [],
    completionBounds: new Float64Array(size),
    sweptFor: undefined,
    exact: {
      high: new Float64Array(size),
      low: new Float64Array(size),
      highBefore: new Float64Array(size),
      lowBefore: new Float64Array(size),
      reached: new Uint16Array(size),
      reachedBefore: new Uint16Array(size),
    },
  }
}

/** The sets that the first `vault` vaults can serve. */
export const setsBefore = ({ reached, reachedFrom, reachedTo }: Tables, vault: number): Uint16Array =>
  reached.subarray(reachedFrom[vault], reachedTo[vault])

export function layer(pool: Float64Array[], index: number, size: number): Float64Array {
  const known = pool[index]
  if (known !== undefined && known.length >= size) return known
  const made = new Float64Array(size)
  pool[index] = made
  return made
}

const POPCOUNT = Uint8Array.from(
  { length: 1 << WIDEST },
  (_, mask) => mask.toString(2).replaceAll('0', '').length,
)
export const countBits = (mask: number): number => POPCOUNT[mask] as number
