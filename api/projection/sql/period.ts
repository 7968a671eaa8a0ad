/** Periods of time in UTC. A week begins on Monday (ISO 8601). */
import { type RawBuilder, sql } from 'kysely'

export type Period = 'day' | 'week' | 'month'

/**
 * ISO 8601 ends with the year 9999, and a due date may be any uint64: later times belong to that year's last period.
 */
const LAST_SECOND = 253_402_300_799n

/** Unix seconds as a Postgres timestamp in UTC, whatever the session's zone. */
export function toTimestamp(seconds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(timestamp 'epoch' + least(${seconds}, ${sql.lit(LAST_SECOND.toString())}::numeric) * interval '1 second')`
}

export function toUnixSeconds(timestamp: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql<bigint>`extract(epoch from ${timestamp})::bigint`
}

/** Computes the first second of the period that a time falls in. */
export function periodStart(period: Period, seconds: RawBuilder<unknown>): RawBuilder<bigint> {
  return toUnixSeconds(truncated(period, seconds))
}

/** Computes as `periodStart`, as a timestamp. */
export function truncated(period: Period, seconds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc(${sql.lit(period)}, ${toTimestamp(seconds)})`
}
