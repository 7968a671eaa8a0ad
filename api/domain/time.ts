import { z } from '@hono/zod-openapi'
import { safeNumber } from './integer.ts'

/** Seconds since 1970, as the chain counts time. */
export type UnixSeconds = bigint

// The contracts take any uint64 as a due date; ISO 8601 without prior agreement ends with the year 9999.
const LAST_ISO_SECOND: UnixSeconds = 253_402_300_799n

/** ISO 8601 in UTC, to the second. Anything later than the year 9999 is written as that year's last second. */
export function formatTime(at: UnixSeconds): string {
  const seconds = at < LAST_ISO_SECOND ? at : LAST_ISO_SECOND
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}

/** The same as a JSON number; beyond 2^53-1, where a number is no longer exact, that bound. */
export const unixNumber: (at: UnixSeconds) => number = safeNumber

/** A time as we write it. */
export const time = z.iso.datetime().openapi({ example: '2026-01-31T12:00:00Z' })

/** A time as a caller sends it, to the second; becomes Unix seconds. */
export const timeInput = z.iso
  .datetime({
    offset: true,
    precision: 0,
    error: 'must be a time in ISO 8601 to the second, with a zone, like 2026-01-31T12:00:00Z',
  })
  .transform((text): UnixSeconds => BigInt(Date.parse(text) / 1000))
  .refine((at) => at >= 0n, 'must not be before 1970')
  .openapi({ type: 'string', format: 'date-time', example: '2026-01-31T12:00:00Z' })
