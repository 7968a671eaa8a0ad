/** Time that the charts of the past show, in milliseconds: 90 days. */
const SHOWN_MS = 90 * 86_400_000

/** Begin of the first day that the charts of the past show, in UTC, ISO 8601. */
export function firstDayShown(): string {
  return `${new Date(Date.now() - SHOWN_MS).toISOString().slice(0, 10)}T00:00:00Z`
}

/** Begin of the month in UTC, `count` months from this one, ISO 8601. */
export function monthFrom(count: number): string {
  const now = new Date()
  return `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1)).toISOString().slice(0, 10)}T00:00:00Z`
}
