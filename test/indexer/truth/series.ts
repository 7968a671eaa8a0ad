/** Values of a series for each period, from the logs alone. */

import { next, type Period, startOf } from '../../graphql/calendar.ts'
import { sum } from '../../support/sum.ts'
import type { Truth } from './tables.ts'
import { figuresAfter, type MovementTruth } from './vaults.ts'

type Day = { readonly day: bigint }
type Stocks = Readonly<Record<string, bigint>>

/** The first second of each period from the one of `from` to the one of `last`. */
export function startsBetween(period: Period, from: bigint, last: bigint): bigint[] {
  const starts: bigint[] = []
  for (let start = startOf(period, from); start <= last; start = next(period, start)) starts.push(start)
  return starts
}

/** One entry for each period: its days added up by `flows`, and what there was at its end. */
export function seriesOf(
  days: readonly Day[],
  flows: readonly string[],
  stocksAt: (end: bigint, start: bigint) => Stocks,
  period: Period,
  starts: readonly bigint[],
) {
  return starts.map((start) => {
    const end = next(period, start)
    const own = days.filter(({ day }) => day >= start && day < end)
    const totals = flows.map((flow) => [
      camel(flow),
      sum(own.map((row) => BigInt(String(Reflect.get(row, flow) ?? 0n)))),
    ])
    const stocks = Object.entries(stocksAt(end, start)).map(([stock, value]) => [camel(stock), value])
    return { start, ...Object.fromEntries([...totals, ...stocks]) }
  })
}

/** Capital and outstanding amounts of vaults before a moment, from their movements. */
export function capitalBefore(own: readonly MovementTruth[]) {
  return (end: bigint): Stocks => {
    const { total_shares: _, ...capital } = figuresAfter(own.filter(({ at }) => at < end))
    return capital
  }
}

/** Outstanding amounts of some allocations before a moment. */
export function outstandingBefore(own: Truth['allocation']) {
  return (end: bigint): Stocks => {
    const open = own.filter(
      (part) => part.funded_at < end && !(part.repaid_at !== null && part.repaid_at < end),
    )
    return {
      outstanding_face: sum(open.map((part) => part.face_amount)),
      outstanding_advance: sum(open.map((part) => part.advance_amount)),
    }
  }
}

/**
 * Face of some allocations that fell due in a period, and what of it was overdue at its end, or at `now` if that is
 * earlier.
 */
export function duesOf(own: Truth['allocation'], { settlement }: Truth, now: bigint) {
  const settledAt = new Map(settlement.map(({ claim_id, at }) => [claim_id, at] as const))
  const face = (parts: Truth['allocation']) => sum(parts.map((part) => part.face_amount))
  return (end: bigint, start: bigint): Stocks => {
    const due = own.filter(({ due_at }) => due_at < (end < now ? end : now))
    const isOpen = ({ claim_id }: Truth['allocation'][number]) => (settledAt.get(claim_id) ?? end) >= end
    return {
      face_due: face(due.filter(({ due_at }) => due_at >= start)),
      overdue_face: face(due.filter(isOpen)),
    }
  }
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
