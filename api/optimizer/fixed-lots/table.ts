import { spend, type WorkBudget } from '../model/work-budget.ts'
import { type LegReach, leastAdvances } from './reach.ts'
import type { Half, Window } from './window.ts'

const CELLS_PER_ROW = 2

/**
 * Rows from 1 on, chained by cell; a cell is an equal share of the slice [start, start + width). The last cell is for
 * what rounds up to the slice's end.
 */
export type Table = {
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

export const newTable = (rows: number): Table => ({
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
export function feedOf(
  { first, second }: Half,
  rest: LegReach,
  window: Window,
  table: Table,
  budget: WorkBudget,
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
      spend(budget, 'lotStep', at - from + 1)
      if (count === rows) break
    }
    table.size = count
    if (count === rows) return false
    row = 0
    return true
  }
}
