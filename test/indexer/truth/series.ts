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

type Allocation = Truth['allocation'][number]

/** Outstanding amounts of some allocations before a moment. */
export function outstandingBefore(own: readonly Allocation[], { capital_change }: Truth) {
  return (end: bigint): Stocks => {
    const funded = own.filter((part) => part.funded_at < end)
    const repaid = capital_change.filter(
      ({ kind, at, ...change }) =>
        kind === 'REPAYMENT' &&
        at < end &&
        own.some((part) => part.claim_id === change.claim_id && part.slice_index === change.slice_index),
    )
    const advance = sum(repaid.map(({ amount, discount }) => amount - (discount ?? 0n)))
    return {
      outstanding_face: sum(funded.map((part) => part.face_amount)) - sum(repaid.map(({ amount }) => amount)),
      outstanding_advance: sum(funded.map((part) => part.advance_amount)) - advance,
    }
  }
}

/**
 * Face of some allocations that fell due in a period, and what of it was overdue at its end, or at `now` if that is
 * earlier.
 */
export function duesOf(own: readonly Allocation[], { settlement }: Truth, now: bigint) {
  return (end: bigint, start: bigint): Stocks => {
    const due = own.filter(({ due_at }) => due_at < (end < now ? end : now))
    const paid = (part: Allocation) =>
      sum(
        settlement.map(({ claim_id, slice_amounts, at }) =>
          claim_id === part.claim_id && at < end ? (slice_amounts[part.slice_index] ?? 0n) : 0n,
        ),
      )
    return {
      face_due: sum(due.filter(({ due_at }) => due_at >= start).map((part) => part.face_amount)),
      overdue_face: sum(due.map((part) => part.face_amount - paid(part))),
    }
  }
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
