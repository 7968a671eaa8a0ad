/** Periods of a series: their arguments, their cost, and the request. */
import { sql } from 'kysely'
import { type CodedError, validationFailed } from '../../../errors.ts'
import type { Period } from '../../../projection/sql/period.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { POINTS_DEFAULT, type SeriesRequest } from '../../../projection/sql/series.ts'
import { builder } from '../../kit/builder.ts'
import type { Writer } from '../../kit/declared-read.ts'

export const PeriodType = builder.enumType('Period', {
  description: 'Length of a period, in UTC.',
  values: {
    day: { description: 'The period starts at midnight.' },
    week: { description: 'The period starts on Monday (ISO 8601).' },
    month: { description: 'The period starts on the first day of the month.' },
  } satisfies Record<Period, object>,
})

export const seriesArgs = builder.args((t) => ({
  period: t.field({
    type: PeriodType,
    required: true,
    defaultValue: 'day',
    description: 'Length of a period.',
  }),
  from: t.field({
    type: 'DateTime',
    description: `Start: the series begins with the period that contains this time. Default: the last ${POINTS_DEFAULT} periods.`,
  }),
  to: t.field({
    type: 'DateTime',
    description:
      'End, exclusive: the series ends with the last period that begins before this time. Default and maximum: the current period.',
  }),
}))

export type SeriesArgs = { period: Period; from?: bigint | null | undefined; to?: bigint | null | undefined }

/** Maximum number of periods of one series: more than a year of days. */
const POINTS_MAX = 400
/** No period of its kind is shorter. */
const SECONDS_MIN: Record<Period, bigint> = { day: 86_400n, week: 604_800n, month: 2_419_200n }

/** How many periods there can be at most. */
function pointsBetween(period: Period, from: bigint, to: bigint): number {
  return to <= from ? 0 : Number((to - from) / SECONDS_MIN[period]) + 2
}

/** Each period costs what is selected of it; of a series without an end the length is not known before it is read. */
export function seriesCost({ period, from, to }: SeriesArgs) {
  if (from == null) return { field: SERIES_COST, multiplier: POINTS_DEFAULT }
  const points = to == null ? POINTS_MAX : Math.min(pointsBetween(period, from, to), POINTS_MAX)
  return { field: SERIES_COST, multiplier: points }
}

/** Cost of the sums before the series, for its stocks. */
const SERIES_COST = 50

/**
 * Periods whose end can depend on the block. A series without an end is bounded when it is read.
 *
 * @throws CodedError `VALIDATION_FAILED` for a range that is empty or too long
 */
export function toSeriesRequest(
  { period, from, to }: SeriesArgs,
  { now }: Scope,
  { failure }: Writer,
): SeriesRequest {
  const last = to == null ? now : sql`least(${to - 1n}::numeric, ${now})`
  if (from == null) return { period, last }
  if (to != null && to <= from) throw validationFailed([{ path: 'from', message: 'must be before to' }])
  const start = sql`${from}::numeric`
  const points = sql`div(${last} - ${start}, ${sql.lit(Number(SECONDS_MIN[period]))}) + 2`
  const refusal = failure(() => tooLong())
  const bounded = sql`case when ${points} > ${sql.lit(POINTS_MAX)} then (${refusal})::numeric else ${start} end`
  return { period, from: bounded, last }
}

function tooLong(): CodedError {
  const message = `must be at most ${POINTS_MAX - 2} periods before to; or choose a longer period`
  return validationFailed([{ path: 'from', message }])
}
