const DAY_MS = 86_400_000

/** The begin of the day in UTC that was so many days ago, ISO 8601. */
export function daysAgo(count: number): string {
  return `${new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`
}

/** The begin of the month in UTC, `count` months from this one. */
export function monthFrom(count: number): string {
  const now = new Date()
  return `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1)).toISOString().slice(0, 10)}T00:00:00Z`
}
