const DAY_MS = 86_400_000

/** Begin of the day in UTC, `count` days ago, ISO 8601. */
export function daysAgo(count: number): string {
  return `${new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`
}

/** Begin of the month in UTC, `count` months from this one, ISO 8601. */
export function monthFrom(count: number): string {
  const now = new Date()
  return `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1)).toISOString().slice(0, 10)}T00:00:00Z`
}
