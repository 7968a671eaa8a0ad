import { isBelow, type Line, meeting, pastCeiling } from './lines.ts'
import { type Relaxed, relax } from './relaxation.ts'
import type { Shape } from './shape.ts'
import type { Workspace } from './workspace.ts'

/**
 * Floats may be off by this much relative to the magnitudes in play. That they never decide within `CLOSE` units either is
 * belt and braces: so near, whole numbers are asked anyway.
 */
const RELATIVE_ERROR = 1e-11
export const CLOSE = 64

/** Where to look for the best worth first: where an ancestor found its own, and between the lines seen there. */
export type Hints = { readonly worth: number; readonly lines: readonly Line[] }

/** A usual discount. */
export const NO_HINTS: Hints = { worth: 0.05, lines: [] }

export type NodeBound = {
  /** Every route of the node that reaches the target costs at least this, up to `margin`. */
  readonly value: number
  readonly margin: number
  /** Where the bound is highest, and the relaxation there. */
  readonly worth: number
  readonly relaxed: Relaxed | undefined
  /** Assignments on either side of the target, those between which the best worth lies. */
  readonly below: Line | undefined
  readonly above: Line | undefined
  readonly lines: readonly Line[]
}

const MAX_STEPS = 24

/** How often to look for a line from the other side of the target nearby, before going all the way. */
const NEARBY = 2

/**
 * Maximizes weight(worth) + worth * target over worth >= 0. The function is concave and lies below the line of each assignment, so
 * where the lowest lines from either side of the target meet is the next worth to try.
 * Undefined when the node cannot reach the target or costs more than `ceiling`, both beyond any float error.
 */
export function boundNode(
  shape: Shape,
  target: number,
  ceiling: number,
  hints: Hints,
  space: Workspace,
): NodeBound | undefined {
  const lines = [...hints.lines]
  let best: Best = { value: Number.NEGATIVE_INFINITY, worth: hints.worth, relaxed: undefined }
  let worth = meeting(lines, target)?.worth ?? hints.worth
  for (let step = 0; step < MAX_STEPS && space.fuse.steps > 0; step++) {
    const relaxed = relax(shape, worth, 'cost', space, allowanceAt(shape, worth, target, ceiling))
    if (relaxed === undefined) return undefined
    const value = relaxed.weight + worth * target
    if (value > best.value) best = { value, worth, relaxed }
    draw(lines, relaxed)
    const isOneSided = meeting(lines, target) === undefined
    const near = isOneSided && step < NEARBY ? pastCeiling(relaxed, target, ceiling, worth) : undefined
    if (near === undefined && lines.every((line) => isBelow(line, target))) {
      const most = relax(shape, 1, 'advance', space, allowanceAt(shape, 1, target, 0))
      if (most === undefined) return undefined
      draw(lines, most)
    }
    const next = near ?? nextWorth(lines, target, worth, best.value)
    if (next === undefined) break
    worth = next
  }
  const { below, above } = meeting(lines, target) ?? { below: undefined, above: lines.at(-1) }
  return { ...best, margin: marginAt(shape, best.worth, target, best.value), below, above, lines }
}

type Best = Pick<NodeBound, 'value' | 'worth' | 'relaxed'>

/** What an assignment may weigh at this worth for a route of it to be within the ceiling, float errors included. */
export function allowanceAt(shape: Shape, worth: number, target: number, ceiling: number): number {
  return ceiling - worth * target + marginAt(shape, worth, target, ceiling)
}

/** No assignment at about this height has terms that sum to more than what is multiplied here, signs left out. */
function marginAt({ most }: Shape, worth: number, target: number, height: number): number {
  return CLOSE + RELATIVE_ERROR * (Math.abs(height) + worth * (target + 2 * most))
}

function draw(lines: Line[], { chosen, advance, cost }: Relaxed): void {
  if (lines.some((known) => known.advance === advance && known.cost === cost)) return
  lines.push({ chosen, advance, cost })
}

/** Undefined when the maximum is found: no line promises more, or none is missing from the other side. */
function nextWorth(lines: readonly Line[], target: number, worth: number, value: number): number | undefined {
  const lowest = meeting(lines, target)
  if (lowest === undefined) return worth === 0 || lines.every((line) => isBelow(line, target)) ? undefined : 0
  const isFound = lowest.height - value <= 1e-9 + RELATIVE_ERROR * lowest.height
  return isFound || lowest.worth === worth ? undefined : lowest.worth
}
