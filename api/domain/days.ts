/** Days in a time zone. */
import { Temporal } from 'temporal-polyfill'
import type { UnixSeconds } from './time.ts'

/** Whether a text is the name of a time zone (IANA), or a fixed distance from UTC as in `+05:30`. */
export function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
    return true
  } catch {
    return false
  }
}

/** The first second of a day (`2026-01-31`) in a zone. A day begins later where its midnight is skipped. */
export function dayStart(day: string, zone: string): UnixSeconds {
  return startOf(Temporal.PlainDate.from(day), zone)
}

/** The first second after a day in a zone. */
export function dayEnd(day: string, zone: string): UnixSeconds {
  return startOf(Temporal.PlainDate.from(day).add({ days: 1 }), zone)
}

/** The day of a time in a zone. */
export function dayAt(at: UnixSeconds, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(Number(at) * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
}

function startOf(day: Temporal.PlainDate, zone: string): UnixSeconds {
  return BigInt(day.toZonedDateTime(zone).epochMilliseconds / 1000)
}
