/**
 * Financed face that falls due, and the part of it that is overdue: from the daily sums, and from the allocations that
 * are due on the day of the block.
 */
import { type SqlBool, sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { DAY, midnightBefore } from '../sql/period.ts'
import { type Days, stocksOf } from '../sql/series.ts'
import { ref, view } from '../sql/source.ts'

export type DueKey = 'vault' | 'issuer' | 'token'

const figures = {
  flows: ['faceDue', 'faceSettled'],
  stocks: { overdueFace: { in: ['faceDue'], out: ['faceSettled'] } },
} as const

/** Columns of a series of dues that other series do not have. */
export const DUE_FIGURES: readonly string[] = ['faceDue', 'overdueFace']

/**
 * Selects the dues of one owner, of the current day until `now`.
 *
 * @param now time of the block, Unix seconds
 * @param token only dues in this token
 */
export function duesOf(by: DueKey, key: Sql, now: Sql, token?: Sql): Days {
  const ofToken = token ? sql` and token = ${token}` : sql``
  return { ...figures, from: rowsUntil(now), where: sql<SqlBool>`${ref(by)} = ${key}${ofToken}` }
}

/** Computes the overdue face of one owner at `now`. */
export function overdueFaceOf(by: DueKey, key: Sql, now: Sql, token?: Sql): Sql {
  const { from, where, stocks } = duesOf(by, key, now, token)
  return sql`(select overdue_face from (select ${sql.join(stocksOf(stocks))} from ${from} where ${where}) as dues)`
}

/**
 * A claim is overdue after the second in which it is due. The day of `now` counts until `now` only: the paid face of a
 * claim that is due in this second or later that day is subtracted from the settled face.
 */
function rowsUntil(now: Sql): Sql {
  const today = midnightBefore(now)
  const keys = sql`vault, issuer, token`
  const isDue = sql`due_at < ${now}`
  return sql`(
    select ${keys}, day, case when day < ${today} then face_due else 0 end as face_due, face_settled
    from ${view('dueDay')} where day <= ${today}
    union all
    select ${keys}, ${today}, case when ${isDue} then face_amount else 0 end, case when ${isDue} then 0 else -paid_face end
    from ${view('allocation')}
    where settled in (true, false) and due_at >= ${today} and due_at < ${today} + ${DAY} and (paid_face > 0 or ${isDue})
  ) as due`
}
