import { isSpent, spend, type WorkBudget } from '../model/work-budget.ts'
import { type LegReach, leastAdvances } from './reach.ts'
import type { Table } from './table.ts'
import type { Half, Visit, Window } from './window.ts'

export type Lookup = {
  /** The half whose rows are looked up. */
  readonly half: Half
  /** What the rest can advance at most. */
  readonly rest: LegReach
  readonly window: Window
  readonly table: Table
  readonly visit: Visit
}

/** Looks up what completes the rows of the table to a route in the window. */
export function probeOf(lookup: Lookup, budget: WorkBudget): () => void {
  const { half, rest, window, table } = lookup
  const { first, second } = half
  const { advance, excess, legs, size } = second
  const { head, cells } = table
  const cursors = new Uint32Array(first.size).fill(size)
  return () => {
    const { start, width } = table
    const cellsPerUnit = cells / width
    const leastOf = leastAdvances(window.low, window.maxLegs, rest)
    for (let row = 0; row < first.size && !isSpent(budget); row++) {
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
        // Scaling and cutting off never change the order, so whatever lies between two offsets lies between their
        // cells.
        const last = most < width ? (most * cellsPerUnit) | 0 : cells
        const begin = least > 0 ? (least * cellsPerUnit) | 0 : 0
        for (let cell = begin; cell <= last; cell++) {
          const entry = head[cell] as number
          if (entry !== 0) spend(budget, 'lotStep', compare(lookup, row, at, entry))
        }
        spend(budget, 'lotStep', last - begin)
        if (isSpent(budget)) return
      }
      spend(budget, 'lotStep', at - from + 1)
    }
  }
}

/** Visits the routes that two rows make with a chain of the table, and returns the length of the chain. */
function compare({ half, window, table, visit }: Lookup, row: number, at: number, head: number): number {
  const { first, second } = half
  const excess = (first.excess[row] as number) + (second.excess[at] as number)
  const legs = (first.legs[row] as number) + (second.legs[at] as number)
  const advance = (first.advance[row] as number) + (second.advance[at] as number)
  let entries = 0
  for (let entry = head; entry !== 0; entry = table.next[entry] as number) {
    entries++
    const total = advance + (table.advance[entry] as number)
    if (total < window.low || total > window.high) continue
    if (legs + (table.legs[entry] as number) > window.maxLegs) continue
    const over = excess + (table.excess[entry] as number) + window.rate * (total - window.origin)
    if (over <= window.slack) visit(table.first[entry] as number, table.second[entry] as number, row, at)
  }
  return entries
}
