import { type Relaxed, relax } from './relaxation.ts'
import type { Shape } from './shape.ts'
import type { Workspace } from './subsets.ts'

/**
 * Floats may be off by this much relative to the magnitudes in play. That they never decide within `CLOSE` units either is
 * belt and braces: so near, whole numbers are asked anyway.
 */
const RELATIVE_ERROR = 1e-11
export const CLOSE = 64

export type NodeBound = {
  /** Every route of the node that reaches the target costs at least this, up to `margin`. */
  readonly value: number
  readonly worth: number
  readonly margin: number
  /** Minimizers seen on either side of the target. */
  readonly below: Relaxed | undefined
  readonly above: Relaxed | undefined
}

const MAX_STEPS = 24

/**
 * Maximizes weight(worth) + worth * target over worth >= 0. The function is concave and each minimizer is a line that
 * touches it, so the two lines nearest to the target from either side meet at the next worth to try.
 * Undefined when the node cannot reach the target or costs more than `ceiling`, both beyond any float error.
 */
export function boundNode(
  shape: Shape,
  target: number,
  ceiling: number,
  start: number,
  space: Workspace,
): NodeBound | undefined {
  let below: Relaxed | undefined
  let above: Relaxed | undefined
  let value = Number.NEGATIVE_INFINITY
  let worth = start
  let bestWorth = start
  let margin = CLOSE
  for (let step = 0; step < MAX_STEPS && space.fuse.steps > 0; step++) {
    const relaxed = relax(shape, worth, 'cost', space)
    if (relaxed === undefined) return undefined
    const here = relaxed.weight + worth * target
    margin = CLOSE + RELATIVE_ERROR * (Math.abs(relaxed.weight) + worth * target + relaxed.cost)
    if (here - margin > ceiling) return undefined
    if (here > value) [value, bestWorth] = [here, worth]
    if (relaxed.advance < target) below = relaxed
    else above = relaxed
    if (above === undefined) {
      const most = relax(shape, 1, 'advance', space)
      if (most === undefined || -most.weight < target - CLOSE - RELATIVE_ERROR * target) return undefined
      above = most
      if (most.advance < target) break
    }
    if (below === undefined) {
      if (worth === 0) break
      worth = 0
      continue
    }
    const next = (above.cost - below.cost) / (above.advance - below.advance)
    const line = below.cost + next * (target - below.advance)
    // The touching lines cannot promise more than `line`; once it is reached, the maximum is found.
    if (!(next >= 0) || next === worth || line - value <= 1e-9 + RELATIVE_ERROR * line) break
    worth = next
  }
  return { value, worth: bestWorth, margin, below, above }
}
