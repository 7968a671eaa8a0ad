/** The period of a statement, as a caller asks for it. */
import { validationFailed } from '../errors.ts'
import { dayEnd, dayStart, isZone } from './days.ts'
import type { StatementPeriod } from './statement.ts'
import { TIME_LENGTH_MAX, timeInput, type UnixSeconds } from './time.ts'

/** Form of both. */
export const DAY_OR_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?$/
export const MUST_BE_DAY_OR_TIME = 'must be a day, as in 2026-01-31, or a time, as in 2026-01-31T12:00:00Z'

const DAY = /^\d{4}-\d{2}-\d{2}$/
export const UTC = 'UTC'

export type AskedPeriod = { readonly from: string; readonly to: string; readonly zone: string }

/**
 * Reads a period. A day, as in `2026-01-31`, is one of the zone: the period begins with the first and ends after the
 * last. A time, as in `2026-01-31T12:00:00Z`, is the first second of the period, or the first after it.
 *
 * @throws CodedError `VALIDATION_FAILED`
 */
export function parsePeriod({ from, to, zone }: AskedPeriod): StatementPeriod {
  if (zone.length > TIME_LENGTH_MAX || !isZone(zone)) {
    throw validationFailed([
      { path: 'zone', message: 'must be the name of a time zone, as in Europe/Berlin' },
    ])
  }
  const period = { from: parse('from', from, zone, dayStart), to: parse('to', to, zone, dayEnd) }
  if (period.from >= period.to) {
    throw validationFailed([{ path: 'to', message: 'must not be before the start of the period' }])
  }
  return period
}

function parse(
  path: string,
  text: string,
  zone: string,
  ofDay: (day: string, zone: string) => UnixSeconds,
): UnixSeconds {
  if (!DAY.test(text)) {
    const { data } = timeInput.safeParse(text)
    if (data === undefined) throw validationFailed([{ path, message: MUST_BE_DAY_OR_TIME }])
    return data
  }
  try {
    return ofDay(text, zone)
  } catch {
    throw validationFailed([{ path, message: MUST_BE_DAY_OR_TIME }])
  }
}
