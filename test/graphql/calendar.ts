/**
 * Days, weeks and months by the calendar of `Date`, apart from the arithmetic of the gateway. Seconds since 1970, UTC.
 */
export type Period = 'day' | 'week' | 'month'

const DAY = 86_400_000

/** Midnight of the day, of the Monday before it, or of the first of its month. */
export function startOf(period: Period, at: bigint): bigint {
  const time = new Date(Number(at) * 1000)
  const midnight = Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())
  const starts = {
    day: midnight,
    week: midnight - ((time.getUTCDay() + 6) % 7) * DAY,
    month: Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1),
  }
  return BigInt(starts[period] / 1000)
}

/** The start of the period after the one that begins then. */
export function next(period: Period, start: bigint): bigint {
  const longest = { day: 1n, week: 7n, month: 31n }
  return startOf(period, start + longest[period] * 86_400n)
}

export function iso(at: bigint): string {
  return new Date(Number(at) * 1000).toISOString().replace('.000Z', 'Z')
}
