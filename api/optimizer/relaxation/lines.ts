import type { Option } from '../model/problem.ts'

/**
 * An assignment seen on the way, its advance and its linear cost. At a worth w it weighs cost - w * advance, so that for every w
 * the bound is at most cost + w * (target - advance): a line, rising when the assignment falls short of the target.
 */
export type Line = { readonly chosen: readonly Option[]; readonly advance: number; readonly cost: number }

export type Meeting = {
  readonly worth: number
  readonly height: number
  readonly below: Line
  readonly above: Line
}

export const isBelow = (line: Line, target: number): boolean => line.advance < target

/**
 * Where the lowest lines from either side of the target meet, at a worth of 0 or more. A falling line is met first by that rising
 * one which it meets at the highest worth; of those meetings, the one at the lowest worth is on both envelopes.
 */
export function meeting(lines: readonly Line[], target: number): Meeting | undefined {
  let lowest: Meeting | undefined
  for (const above of lines) {
    if (isBelow(above, target)) continue
    let last: Meeting | undefined
    for (const below of lines) {
      if (!isBelow(below, target)) continue
      const worth = Math.max(0, (above.cost - below.cost) / (above.advance - below.advance))
      if (last !== undefined && worth <= last.worth) continue
      last = { worth, height: below.cost + worth * (target - below.advance), below, above }
    }
    if (last !== undefined && (lowest === undefined || last.worth < lowest.worth)) lowest = last
  }
  return lowest
}

const OVERSHOOT = 1.1

/** A little past the worth at which a line reaches the ceiling: a bound that exceeds it does so beyond. */
export function pastCeiling(line: Line, target: number, ceiling: number, worth: number): number | undefined {
  const reached = (ceiling - line.cost) / (target - line.advance)
  const next = Math.max(0, worth + OVERSHOOT * (reached - worth))
  return Number.isFinite(next) && next !== worth ? next : undefined
}
