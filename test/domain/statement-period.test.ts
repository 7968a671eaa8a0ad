import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAt, dayEnd, dayStart } from '../../api/domain/days.ts'
import { parsePeriod } from '../../api/domain/statement-period.ts'

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const days = fc
  .integer({ min: 0, max: 60_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))

/** The day of a time in a zone, by the calendar of the platform. */
function dayOf(at: bigint, zone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  return format.format(new Date(Number(at) * 1000))
}

describe('a day in a zone', () => {
  it('begins with the first second that the calendar gives that day, and ends where the next begins', () => {
    fc.assert(
      fc.property(zones, days, (zone, day) => {
        const [start, end] = [dayStart(day, zone), dayEnd(day, zone)]
        // A zone that crosses the date line skips a whole day.
        if (start === end) return
        expect(dayOf(start, zone)).toBe(day)
        expect(dayOf(start - 1n, zone) < day).toBe(true)
        expect(dayOf(end - 1n, zone)).toBe(day)
        expect(dayOf(end, zone) > day).toBe(true)
        expect(dayAt(start, zone)).toBe(day)
      }),
      { seed: 20_261_127, numRuns: 3000 },
    )
  })

  it.each([
    ['2026-03-29', 'Europe/Berlin', 23n],
    ['2026-10-25', 'Europe/Berlin', 25n],
    ['2026-06-01', 'Europe/Berlin', 24n],
    ['2018-11-04', 'America/Sao_Paulo', 23n],
    ['2011-12-30', 'Pacific/Apia', 0n],
  ])('%s in %s has %s hours', (day, zone, hours) => {
    expect(dayEnd(day, zone) - dayStart(day, zone)).toBe(hours * 3600n)
  })
})

describe('a period', () => {
  it('of days has both of them, and one of times ends before the last', () => {
    const zone = 'America/New_York'
    expect(parsePeriod({ from: '2026-01-01', to: '2026-01-31', zone })).toEqual({
      from: BigInt(Date.UTC(2026, 0, 1, 5) / 1000),
      to: BigInt(Date.UTC(2026, 1, 1, 5) / 1000),
    })
    expect(parsePeriod({ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:01+00:00', zone })).toEqual({
      from: 1_767_225_600n,
      to: 1_767_225_601n,
    })
  })

  it('begins with the first second of 1970 at the earliest', () => {
    expect(parsePeriod({ from: '1970-01-01', to: '1970-01-01', zone: 'UTC' })).toEqual({
      from: 0n,
      to: 86_400n,
    })
  })

  it.each([
    'Etc/GMT+1',
    'Etc/GMT-14',
    'America/Argentina/ComodRivadavia',
    'America/Port-au-Prince',
    '-03:30',
  ])('can be in the zone %s', (zone) => {
    const { from, to } = parsePeriod({ from: '2026-01-31', to: '2026-01-31', zone })
    expect(to - from).toBe(86_400n)
    expect(dayAt(from, zone)).toBe('2026-01-31')
  })

  it.each([
    ['2026-02-29', 'must be a day, as in 2026-01-31, or a time'],
    ['12026-01-01', 'must be a day, as in 2026-01-31, or a time'],
    ['2026-01-01T00:00:00', 'must be a time in ISO 8601'],
    ['2026-01-01T00:00:00.5Z', 'must be a whole second'],
    ['1969-12-31T23:59:59Z', 'must not be before 1970'],
  ])('states what is wrong with a start at %s', (from, fault) => {
    expect(() => parsePeriod({ from, to: '2026-01-31', zone: 'UTC' })).toThrow(`from: ${fault}`)
  })

  it.each([
    ['a day that does not exist', { from: '2026-02-29' }, 'from'],
    ['a month that does not exist', { to: '2026-13-01' }, 'to'],
    ['a year of five digits', { to: '12026-01-01' }, 'to'],
    ['a fraction of a second', { from: '2026-01-01T00:00:00.5Z' }, 'from'],
    ['a time without a zone', { from: '2026-01-01T00:00:00' }, 'from'],
    ['an end before the start', { to: '2025-12-31' }, 'to'],
    ['an empty period', { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    ['a day before 1970', { from: '1969-12-31' }, '1970'],
    ['a time before 1970', { from: '1969-12-31T23:59:59Z' }, '1970'],
    ['a zone that is a time', { zone: '2020-01-01T00:00+02:00[Europe/Berlin]' }, 'zone'],
    ['an unknown zone', { zone: 'Europe/Atlantis' }, 'zone'],
    ['a zone that is no text of a name', { zone: '[u-ca=hebrew]' }, 'zone'],
    ['a zone of many characters', { zone: 'A'.repeat(10_000) }, 'zone'],
  ])('is refused for %s', (_, change, path) => {
    const asked = { from: '2026-01-01', to: '2026-01-31', zone: 'UTC', ...change }
    expect(() => parsePeriod(asked)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(() => parsePeriod(asked)).toThrow(path)
  })
})
