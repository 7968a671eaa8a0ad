import { CLOSE, NEAR, REDUCED_COST_ERROR } from '../model/tolerances.ts'
import { isSpent } from '../model/work-budget.ts'
import { type Cut, isBelow, lowestIntersection, pastCeiling } from './cuts.ts'
import { type LeastOf, type Relaxed, relax } from './lagrangian.ts'
import type { Shape } from './shape.ts'
import type { Workspace } from './workspace.ts'

/** Where to look for the best multiplier first: that of an ancestor, and the cuts found there. */
export type Hints = { readonly multiplier: number; readonly cuts: readonly Cut[] }

/** A discount of 5 %, which is common. */
export const NO_HINTS: Hints = { multiplier: 0.05, cuts: [] }

export type NodeBound = {
  /** Every route of the node that reaches the target costs at least this, up to `margin`. */
  readonly value: number
  readonly margin: number
  /** Where the bound is highest, and the relaxation there. */
  readonly multiplier: number
  readonly relaxed: Relaxed | undefined
  /** Assignments on either side of the target, those between which the best multiplier lies. */
  readonly below: Cut | undefined
  readonly above: Cut | undefined
  readonly cuts: readonly Cut[]
}

const MAX_STEPS = 24

/** Steps that look nearby for a cut from the other side of the target, before the extreme multiplier. */
const NEARBY = 2

/**
 * Maximizes reducedCost(w) + w * target over multipliers w >= 0 by Kelley's method. The function is concave and lies
 * below the cut of each assignment, so the next multiplier is where the lowest cuts from either side of the target
 * intersect. Undefined when the node cannot reach the target or costs more than `ceiling`, both beyond any float error.
 */
export function boundNode(
  shape: Shape,
  target: number,
  ceiling: number,
  hints: Hints,
  space: Workspace,
  leastOf?: LeastOf,
): NodeBound | undefined {
  const cuts = [...hints.cuts]
  let best: BestSoFar = { value: Number.NEGATIVE_INFINITY, multiplier: hints.multiplier, relaxed: undefined }
  let multiplier = lowestIntersection(cuts, target)?.multiplier ?? hints.multiplier
  for (let step = 0; step < MAX_STEPS && !isSpent(space.budget); step++) {
    const allowance = allowanceAt(shape, multiplier, target, ceiling)
    const relaxed = relax(shape, multiplier, 'cost', space, allowance, leastOf)
    if (relaxed === undefined) return undefined
    const value = relaxed.reducedCost + multiplier * target
    if (value > best.value) best = { value, multiplier, relaxed }
    addCut(cuts, relaxed)
    const isOneSided = lowestIntersection(cuts, target) === undefined
    const near = isOneSided && step < NEARBY ? pastCeiling(relaxed, target, ceiling, multiplier) : undefined
    if (near === undefined && cuts.every((cut) => isBelow(cut, target))) {
      const most = relax(shape, 1, 'advance', space, allowanceAt(shape, 1, target, 0), leastOf)
      if (most === undefined) return undefined
      addCut(cuts, most)
    }
    const next = near ?? nextMultiplier(cuts, target, multiplier, best.value)
    if (next === undefined) break
    multiplier = next
  }
  const { below, above } = lowestIntersection(cuts, target) ?? { below: undefined, above: cuts.at(-1) }
  return { ...best, margin: marginAt(shape, best.multiplier, target, best.value), below, above, cuts }
}

type BestSoFar = Pick<NodeBound, 'value' | 'multiplier' | 'relaxed'>

/** The largest reduced cost at this multiplier of an assignment within the ceiling, float errors included. */
export function allowanceAt(shape: Shape, multiplier: number, target: number, ceiling: number): number {
  return ceiling - multiplier * target + marginAt(shape, multiplier, target, ceiling)
}

/** No assignment at about this height has summands that sum to more than what is multiplied here, signs left out. */
function marginAt({ most }: Shape, multiplier: number, target: number, height: number): number {
  return CLOSE + REDUCED_COST_ERROR * (Math.abs(height) + multiplier * (target + 2 * most))
}

function addCut(cuts: Cut[], { chosen, advance, cost }: Relaxed): void {
  if (cuts.some((known) => known.advance === advance && known.cost === cost)) return
  cuts.push({ chosen, advance, cost })
}

/** Undefined when the maximum is found: no cut allows more, or none is missing from the other side. */
function nextMultiplier(
  cuts: readonly Cut[],
  target: number,
  multiplier: number,
  value: number,
): number | undefined {
  const lowest = lowestIntersection(cuts, target)
  if (lowest === undefined)
    return multiplier === 0 || cuts.every((cut) => isBelow(cut, target)) ? undefined : 0
  const isFound = lowest.height - value <= NEAR + REDUCED_COST_ERROR * lowest.height
  return isFound || lowest.multiplier === multiplier ? undefined : lowest.multiplier
}
