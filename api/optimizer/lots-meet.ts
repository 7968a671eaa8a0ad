import type { Classes } from './lots-classes.ts'
import { leastAdvances, type Reach, reachOfHalf } from './lots-reach.ts'

/** Partial routes of half of the claims: every class of `first` together with every class of `second`. */
export type Half = { readonly first: Classes; readonly second: Classes }

/**
 * The routes that are wanted: `low <= advance <= high`, `excess + rate * (advance - origin) <= slack`, at most `maxLegs`
 * legs. All but `origin` and `rate` may be tightened while routes are met.
 */
export type Window = {
  low: number
  high: number
  slack: number
  maxLegs: number
  readonly origin: number
  readonly rate: number
}

/** Steps left for the whole optimization. Counted, never timed: results must not vary. */
export type Work = { steps: number }

/** A route as a class of each list: left first, left second, right first, right second. */
export type Visit = (leftFirst: number, leftSecond: number, rightFirst: number, rightSecond: number) => void

/** Left partial routes in the table at once: what a core's cache holds, and 16 bits can number. */
const MOST_ROWS = 1 << 15
const CELLS_PER_ROW = 2

/**
 * Visits every route in the window, each a partial route of either half, in a fixed order; false when the work ran out.
 *
 * The left partial routes pass through a table in order of advance, a slice at a time. Neither half is ever written out
 * or sorted: a slice of the sums of two sorted lists is, for each entry of the first, a run of the second, and the next
 * slice goes on where the run ended. The right partial routes that could complete a slice are runs in the same way, further
 * down with each slice, and each looks up the cells where its complement must lie.
 */
export function meet(left: Half, right: Half, window: Window, visit: Visit, work: Work): boolean {
  const rows = left.first.size * left.second.size
  if (rows === 0) return true
  const table = newTable(Math.min(MOST_ROWS, rows))
  const feed = feedOf(left, reachOfHalf(right, window.maxLegs), window, table, work)
  const probe = probeOf(right, reachOfHalf(left, window.maxLegs), window, table, visit, work)
  const most = mostOf(left)
  const start = Math.max(0, Math.floor(window.low - mostOf(right)))
  // Most partial routes are of middling advance: the slices there hold some times the average.
  const slices = Math.ceil((rows * 4) / MOST_ROWS)
  // Never so narrow that a double could not tell the next slice from this one.
  table.width = Math.max(1, most * 2 ** -50, Math.ceil((most - start) / slices))
  for (table.start = start; table.start <= Math.min(most, window.high); table.start += table.width) {
    for (let isFed = false; !isFed; ) {
      isFed = feed()
      if (table.size > 0) probe()
      if (work.steps <= 0) return false
    }
  }
  return true
}

const mostOf = ({ first, second }: Half): number => lastOf(first.advance) + lastOf(second.advance)
const lastOf = (amounts: Float64Array): number => amounts[amounts.length - 1] ?? 0

/**
 * Rows from 1 on, chained by cell; a cell is an equal share of the slice [start, start + width). The last cell is for
 * what rounds up to the slice's end.
 */
type Table = {
  start: number
  width: number
  size: number
  readonly rows: number
  readonly cells: number
  readonly head: Uint16Array
  readonly next: Uint16Array
  readonly advance: Float64Array
  readonly excess: Float64Array
  readonly legs: Uint8Array
  readonly first: Uint32Array
  readonly second: Uint32Array
}

const newTable = (rows: number): Table => ({
  start: 0,
  width: 1,
  size: 0,
  rows,
  cells: rows * CELLS_PER_ROW,
  head: new Uint16Array(rows * CELLS_PER_ROW + 1),
  next: new Uint16Array(rows + 1),
  advance: new Float64Array(rows + 1),
  excess: new Float64Array(rows + 1),
  legs: new Uint8Array(rows + 1),
  first: new Uint32Array(rows + 1),
  second: new Uint32Array(rows + 1),
})

/** Refills the table with the next rows of the slice; false when it is full before the slice is at its end. */
function feedOf(
  { first, second }: Half,
  rest: Reach,
  window: Window,
  table: Table,
  work: Work,
): () => boolean {
  const { advance, excess, legs, size } = second
  const { head, next, rows, cells } = table
  const cursors = new Uint32Array(first.size)
  let row = 0
  return () => {
    head.fill(0)
    const { start, width } = table
    const end = start + width
    const cellsPerUnit = cells / width
    const least = leastAdvances(window.low, window.maxLegs, rest)
    let count = 0
    for (; row < first.size && count < rows; row++) {
      const here = first.advance[row] as number
      if (here >= end) break
      const excessHere = first.excess[row] as number
      const legsHere = first.legs[row] as number
      const room = window.slack - excessHere
      const from = cursors[row] as number
      let at = from
      for (; at < size && count < rows; at++) {
        const sum = here + (advance[at] as number)
        if (sum >= end) break
        if ((excess[at] as number) > room || sum < start) continue
        if (sum < (least[legsHere + (legs[at] as number)] as number)) continue
        const cell = ((sum - start) * cellsPerUnit) | 0
        count++
        table.advance[count] = sum
        table.excess[count] = excessHere + (excess[at] as number)
        table.legs[count] = legsHere + (legs[at] as number)
        table.first[count] = row
        table.second[count] = at
        next[count] = head[cell] as number
        head[cell] = count
      }
      cursors[row] = at
      work.steps -= at - from + 1
      if (count === rows) break
    }
    table.size = count
    if (count === rows) return false
    row = 0
    return true
  }
}

/** Looks up what completes the rows of the table to a route in the window. */
function probeOf(
  { first, second }: Half,
  rest: Reach,
  window: Window,
  table: Table,
  visit: Visit,
  work: Work,
): () => void {
  const { advance, excess, legs, size } = second
  const { head, cells } = table
  const cursors = new Uint32Array(first.size).fill(size)
  return () => {
    const { start, width } = table
    const cellsPerUnit = cells / width
    const leastOf = leastAdvances(window.low, window.maxLegs, rest)
    for (let row = 0; row < first.size && work.steps > 0; row++) {
      const here = first.advance[row] as number
      const legsHere = first.legs[row] as number
      const room = window.slack - (first.excess[row] as number)
      const low = window.low - start - here
      const high = window.high - start - here
      let at = cursors[row] as number
      while (at > 0 && (advance[at - 1] as number) >= low - width) at--
      cursors[row] = at
      const from = at
      for (; at < size; at++) {
        const more = advance[at] as number
        if (more > high) break
        if ((excess[at] as number) > room) continue
        if (here + more < (leastOf[legsHere + (legs[at] as number)] as number)) continue
        const least = low - more
        const most = high - more
        // Scaling and cutting off never change the order, so whatever lies between two offsets lies between their cells.
        const last = most < width ? (most * cellsPerUnit) | 0 : cells
        const begin = least > 0 ? (least * cellsPerUnit) | 0 : 0
        for (let cell = begin; cell <= last; cell++) {
          const entry = head[cell] as number
          if (entry !== 0) compare(first, row, second, at, entry, window, table, visit, work)
        }
        work.steps -= last - begin
        if (work.steps <= 0) return
      }
      work.steps -= at - from + 1
    }
  }
}

function compare(
  first: Classes,
  row: number,
  second: Classes,
  at: number,
  head: number,
  window: Window,
  table: Table,
  visit: Visit,
  work: Work,
): void {
  const excess = (first.excess[row] as number) + (second.excess[at] as number)
  const legs = (first.legs[row] as number) + (second.legs[at] as number)
  const advance = (first.advance[row] as number) + (second.advance[at] as number)
  for (let entry = head; entry !== 0; entry = table.next[entry] as number) {
    work.steps--
    const total = advance + (table.advance[entry] as number)
    if (total < window.low || total > window.high) continue
    if (legs + (table.legs[entry] as number) > window.maxLegs) continue
    const over = excess + (table.excess[entry] as number) + window.rate * (total - window.origin)
    if (over <= window.slack) visit(table.first[entry] as number, table.second[entry] as number, row, at)
  }
}
