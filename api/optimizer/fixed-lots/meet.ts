import { SLICE_WIDTH } from '../model/tolerances.ts'
import { isSpent, type WorkBudget } from '../model/work-budget.ts'
import { probeOf } from './probe.ts'
import { reachOfHalf } from './reach.ts'
import { feedOf, newTable } from './table.ts'
import type { Half, Visit, Window } from './window.ts'

/** Left partial routes in the table at once: what a core's cache holds, and 16 bits can number. */
const MOST_ROWS = 1 << 15

/**
 * Visits every route in the window, each a partial route of either half, in a fixed order; false when the work ran out.
 *
 * The left partial routes pass through a table in order of advance, a slice at a time. Neither half is ever written out
 * or sorted: a slice of the sums of two sorted lists is, for each entry of the first, a run of the second, and the next
 * slice goes on where the run ended. The right partial routes that could complete a slice are runs in the same way,
 * further down with each slice, and each looks up the cells where its complement must lie.
 */
export function meet(left: Half, right: Half, window: Window, visit: Visit, budget: WorkBudget): boolean {
  const rows = left.first.size * left.second.size
  if (rows === 0) return true
  const table = newTable(Math.min(MOST_ROWS, rows))
  const feed = feedOf(left, reachOfHalf(right, window.maxLegs), window, table, budget)
  const probe = probeOf(
    { half: right, rest: reachOfHalf(left, window.maxLegs), window, table, visit },
    budget,
  )
  const most = mostOf(left)
  const start = Math.max(0, Math.floor(window.low - mostOf(right)))
  // Most partial routes are of middling advance: the slices there hold some times the average.
  const slices = Math.ceil((rows * 4) / MOST_ROWS)
  // Never so narrow that the starts of two slices are the same double.
  table.width = Math.max(1, most * SLICE_WIDTH, Math.ceil((most - start) / slices))
  for (table.start = start; table.start <= Math.min(most, window.high); table.start += table.width) {
    for (let isFed = false; !isFed; ) {
      isFed = feed()
      if (table.size > 0) probe()
      if (isSpent(budget)) return false
    }
  }
  return true
}

const mostOf = ({ first, second }: Half): number => lastOf(first.advance) + lastOf(second.advance)
const lastOf = (amounts: Float64Array): number => amounts[amounts.length - 1] ?? 0
