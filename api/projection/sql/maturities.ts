/** Outstanding face by the time at which it is due. Each part of it is in exactly one row, so the rows add up to it. */
import { sql } from 'kysely'
import type { Sql } from './json.ts'
import { type Period, periodStart, toUnixSeconds, truncated } from './period.ts'

/** Rows that are no period, by their positions. The position of a period is its start. */
const POSITIONS = {
  OVERDUE: sql`(-3)::bigint`,
  HELD: sql`(-2)::bigint`,
  BEFORE: sql`(-1)::bigint`,
  AFTER: sql`9223372036854775807::bigint`,
} as const
export type MaturityKind = keyof typeof POSITIONS | 'PERIOD'

/** Number of rows besides those of the periods. */
export const OTHER_ROWS = Object.keys(POSITIONS).length

/** Whole periods that begin with the one of `from`, or with the current one if that is later. Unix seconds. */
export type MaturitiesRequest = {
  readonly period: Period
  readonly periods: number
  readonly from?: bigint | null | undefined
}

/**
 * Writes a relation with the columns `position`, `kind`, `start`, `face`, `advance`, `discount` and `allocations`.
 *
 * @param outstanding the parts that are not repaid, as `outstandingOf` selects them
 * @param now time of the block
 */
export function maturitiesOf(outstanding: Sql, { period, periods, from }: MaturitiesRequest, now: Sql): Sql {
  const step = sql`interval ${sql.lit(`1 ${period}`)}`
  const first = truncated(period, from == null ? now : sql`greatest(${from}::numeric, ${now})`)
  const last = sql`${first} + ${sql.lit(periods - 1)} * ${step}`
  const { HELD, OVERDUE, BEFORE, AFTER } = POSITIONS
  const position = sql`case when is_held then ${HELD} when due_at < ${now} then ${OVERDUE}
    when due_at < ${toUnixSeconds(first)} then ${BEFORE} when due_at >= ${toUnixSeconds(sql`${last} + ${step}`)} then ${AFTER}
    else ${periodStart(period, sql`due_at`)} end`
  const others = Object.entries(POSITIONS).map(([kind, at]) => sql`select ${at}, ${sql.lit(kind)}, null`)
  return sql`(
    with due as (
      select ${position} as position, sum(face) as face, sum(advance) as advance, sum(discount) as discount, count(*) as allocations
      from ${outstanding} as outstanding group by 1
    ), point as (
      select ${toUnixSeconds(sql`at`)} as start from generate_series(${first}, ${last}, ${step}) as at
    )
    select own.position, own.kind, own.start, coalesce(face, 0) as face, coalesce(advance, 0) as advance,
      coalesce(discount, 0) as discount, coalesce(allocations, 0) as allocations
    from (select start, 'PERIOD', start from point union all ${sql.join(others, sql` union all `)}) as own (position, kind, start)
    left join due on due.position = own.position
  )`
}
