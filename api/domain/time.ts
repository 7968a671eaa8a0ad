import { z } from '@hono/zod-openapi'
import { safeNumber } from './integer.ts'

/** Seconds since 1970, as the chain counts time. */
export type UnixSeconds = bigint

// The contracts take any uint64 as a due date; ISO 8601 without prior agreement ends with the year 9999.
export const LAST_ISO_SECOND: UnixSeconds = 253_402_300_799n

/** ISO 8601 in UTC, to the second. Anything later than the year 9999 is written as that year's last second. */
export function formatTime(at: UnixSeconds): string {
  const seconds = at < LAST_ISO_SECOND ? at : LAST_ISO_SECOND
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

/** Unix seconds as a JSON number; beyond 2^53-1, where a number is not exact, that bound. */
export const unixNumber: (at: UnixSeconds) => number = safeNumber

const EXAMPLE = '2026-01-31T12:00:00Z'

/** A time as we write it. */
export const time = z.iso.datetime().max(EXAMPLE.length).openapi({ example: EXAMPLE })

/** A time of the clock of the service, with milliseconds. */
export const clockTime = z.iso.datetime().max('2026-01-31T12:00:00.000Z'.length)

/** Characters of a time in a request. One with nanoseconds and a zone has 35. */
export const TIME_LENGTH_MAX = 64

/** A digit other than zero after the decimal point; `Date.parse` ignores digits beyond the milliseconds. */
const FRACTION = /\.\d*[1-9]/

/**
 * A time as a caller sends it; becomes Unix seconds. A fraction of a second is accepted where it is zero, as
 * `Date.toISOString` writes it. Any other is refused and not rounded: a filter would select other rows, and an issuer
 * would sign another time.
 */
export const timeInput = z.iso
  .datetime({
    offset: true,
    error: 'must be a time in ISO 8601 with seconds and a zone, like 2026-01-31T12:00:00Z',
  })
  .max(TIME_LENGTH_MAX, `must have at most ${TIME_LENGTH_MAX} characters`)
  .refine(
    (text) => !FRACTION.test(text),
    'must be a whole second: the chain has no fractions. Round the time to seconds.',
  )
  .transform((text): UnixSeconds => BigInt(Math.floor(Date.parse(text) / 1000)))
  .refine((at) => at >= 0n, 'must not be before 1970')
  .openapi({ type: 'string', format: 'date-time', maxLength: TIME_LENGTH_MAX, example: EXAMPLE })
