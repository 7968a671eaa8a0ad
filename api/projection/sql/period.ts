/** Periods of time in UTC. A week begins on Monday (ISO 8601). */
import { type RawBuilder, sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import { LAST_ISO_SECOND } from '../../domain/time.ts'
import type { Sql } from './json.ts'

export type Period = 'day' | 'week' | 'month'

/** Seconds. */
export const DAY: Sql = sql.lit(Number(SECONDS_PER_DAY))

/** Computes midnight before a time, both in Unix seconds. */
export function midnightBefore(time: Sql): Sql {
  return sql`(${time} - mod(${time}, ${DAY}))`
}

/**
 * Unix seconds as a Postgres timestamp in UTC, whatever the session's zone. Times after the year 9999 belong to that
 * year's last period.
 */
export function toTimestamp(seconds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(timestamp 'epoch' + least(${seconds}, ${sql.lit(LAST_ISO_SECOND.toString())}::numeric) * interval '1 second')`
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
