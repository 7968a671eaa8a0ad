import { MAX_LEGS } from '../../domain/limits.ts'

/**
 * Every tolerance of the computations in doubles. A tolerance either bounds a rounding error from above, so that
 * pruning stays valid, or only chooses where to look, so that no result depends on it. Relative tolerances refer to the
 * sum of the magnitudes of what is added up.
 */

/** One operation on doubles is off by at most this part of its result. */
const UNIT_ROUNDOFF = 2 ** -53

/**
 * A leg adds two products to a reduced cost. Each has an amount and a difference of two quotients, all of them rounded:
 * at most four operations before it is added.
 */
const OPERATIONS_PER_LEG = 10

/** Bounds the error of the reduced cost of an assignment. */
const REDUCED_COST_ROUNDING = MAX_LEGS * OPERATIONS_PER_LEG * UNIT_ROUNDOFF

/** Bounds the relative error of a reduced cost, of its patterns and of bounds made of it. */
export const REDUCED_COST_ERROR = 1e-11

/** Liquidity is raised by this part, which only relaxes the problem: least lots that fill a vault exactly then fit. */
export const LIQUIDITY_ERROR = 1e-12

/** Bounds the relative error of comparing sums of two reduced costs that were rounded to doubles from whole numbers. */
export const EXACT_SUM_ERROR = 1e-12

/** Bounds the relative error of a whole number that is converted to a double and scaled once. */
export const CONVERSION_ERROR = 1e-15

/**
 * Cost units that linear costs omit: rounding up adds less than one unit per leg, and less than one per vault where the
 * legs that fill it are rounded together.
 */
export const ROUNDING_SLACK = 2 * MAX_LEGS

/** Units around the incumbent, and around the target, within which whole numbers decide and doubles do not. */
export const CLOSE = 64

/** Units by which a bound of multipliers has to exceed its limit besides the relative error, for sums near 0. */
export const FIXING_ERROR = 1e-6

/** Relative distance at which two values count as one where a bound is improved or a check is started. */
export const NEAR = 1e-9

const RELATIONS: readonly (readonly [holds: boolean, relation: string])[] = [
  [REDUCED_COST_ERROR >= 1000 * REDUCED_COST_ROUNDING, 'reduced costs err by less than their tolerance'],
  [LIQUIDITY_ERROR >= 2 * MAX_LEGS * UNIT_ROUNDOFF, 'liquidity is raised by more than lots err'],
  [LIQUIDITY_ERROR < REDUCED_COST_ERROR, 'what raised liquidity adds is within the error of a reduced cost'],
  [EXACT_SUM_ERROR >= 8 * UNIT_ROUNDOFF, 'sums of two reduced costs err by less than their tolerance'],
  [CONVERSION_ERROR >= 4 * UNIT_ROUNDOFF, 'conversions err by less than their tolerance'],
  [CLOSE > ROUNDING_SLACK, 'whole numbers decide wherever rounding may'],
  [FIXING_ERROR < 0.5, 'fixing keeps no option that costs a unit too much because of the absolute margin'],
  [NEAR > REDUCED_COST_ERROR, 'values that differ by their errors count as near'],
]

for (const [holds, relation] of RELATIONS)
  if (!holds) throw new Error(`The optimizer's tolerances contradict each other: ${relation}.`)
