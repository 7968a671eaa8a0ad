/** The period of a statement, as a caller asks for it. */
import { validationFailed } from '../errors.ts'
import { dayEnd, dayStart, isZone } from './days.ts'
import type { StatementPeriod } from './statement.ts'
import { timeInput, type UnixSeconds } from './time.ts'

/** Pattern of `from` and `to`. */
export const DAY_OR_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?$/
export const MUST_BE_DAY_OR_TIME = 'must be a day, as in 2026-01-31, or a time, as in 2026-01-31T12:00:00Z'

const MUST_BE_ZONE =
  'must be the name of a time zone, as in Europe/Berlin, or a distance from UTC, as in +05:30'

/** Without the times that the library takes for a zone, too. */
const ZONE = /^(?:[A-Za-z][A-Za-z0-9_+/-]{0,63}|[+-]\d{2}:\d{2})$/

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
  if (!ZONE.test(zone) || !isZone(zone)) {
    throw validationFailed([{ path: 'zone', message: MUST_BE_ZONE }])
  }
  const period = { from: parse('from', from, zone, dayStart), to: parse('to', to, zone, dayEnd) }
  if (period.from < 0n) throw validationFailed([{ path: 'from', message: 'must not be before 1970' }])
  if (period.from >= period.to) {
    throw validationFailed([{ path: 'to', message: 'must be after the start of the period' }])
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
    const { data, error } = timeInput.safeParse(text)
    if (data !== undefined) return data
    const [issue] = DAY_OR_TIME.test(text) ? (error?.issues ?? []) : []
    throw validationFailed([{ path, message: issue?.message ?? MUST_BE_DAY_OR_TIME }])
  }
  try {
    return ofDay(text, zone)
  } catch {
    throw validationFailed([{ path, message: MUST_BE_DAY_OR_TIME }])
  }
}
