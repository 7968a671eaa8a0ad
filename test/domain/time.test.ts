import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMatured } from '../../api/domain/claim.ts'
import { formatTime, time, timeInput, unixNumber } from '../../api/domain/time.ts'
import { daysToDue, latestOf } from '../../api/domain/window.ts'
import { scalars } from '../../api/graphql/kit/scalars.ts'

const LAST_UINT64 = 2n ** 64n - 1n

describe('a time', () => {
  it('is written as ISO 8601 in UTC, to the second', () => {
    expect(formatTime(0n)).toBe('1970-01-01T00:00:00Z')
    expect(formatTime(1_767_225_599n)).toBe('2025-12-31T23:59:59Z')
    expect(time.parse(formatTime(1_767_225_599n))).toBe('2025-12-31T23:59:59Z')
  })

  it('that a contract takes but no calendar has is written as the last second that both have', () => {
    expect(formatTime(LAST_UINT64)).toBe('9999-12-31T23:59:59Z')
    expect(unixNumber(LAST_UINT64)).toBe(Number.MAX_SAFE_INTEGER)
    expect(unixNumber(1_767_225_599n)).toBe(1_767_225_599)
  })
})

describe('a time in a request, over REST and over GraphQL', () => {
  const readers: [string, (text: string) => bigint][] = [
    ['REST', (text) => timeInput.parse(text)],
    ['GraphQL', (text) => scalars.DateTime.parseValue(text)],
  ]

  it.each(readers)('%s reads what Date.toISOString writes of a whole second', (_, read) => {
    const seconds = fc.integer({ min: 0, max: 253_402_300_799 })
    fc.assert(
      fc.property(seconds, (at) => read(new Date(at * 1000).toISOString()) === BigInt(at)),
      { verbose: true },
    )
  })

  it.each(readers)('%s reads a zone, and a fraction that is zero', (_, read) => {
    for (const text of [
      '2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00.0Z',
      '2026-01-31T12:00:00.000000000Z',
      '2026-01-31T13:30:00.000+01:30',
    ]) {
      expect(read(text)).toBe(1_769_860_800n)
    }
  })

  it('has at most 64 characters', () => {
    const padded = (length: number) => `2026-01-31T12:00:00.${'0'.repeat(length - 21)}Z`
    expect(timeInput.parse(padded(64))).toBe(1_769_860_800n)
    expect(timeInput.safeParse(padded(65)).success).toBe(false)
  })

  it.each(readers)('%s refuses a fraction of a second, however small, and names the reason', (_, read) => {
    for (const fraction of ['.001', '.999', '.5', '.0000000000000000000001']) {
      expect(() => read(`2026-01-31T12:00:00${fraction}Z`)).toThrow(
        'must be a whole second: the chain has no fractions',
      )
    }
  })

  it.each(readers)('%s refuses what is no time: no zone, no seconds, no such day, before 1970', (_, read) => {
    for (const text of [
      '2026-01-31T12:00:00',
      '2026-01-31T12:00Z',
      '2026-02-30T12:00:00Z',
      '2026-01-31',
      '1769860800',
      '2026-01-31T12:00:00.Z',
      '+010000-01-01T00:00:00Z',
    ]) {
      expect(() => read(text)).toThrow('must be a time in ISO 8601')
    }
    expect(() => read('1969-12-31T23:59:59Z')).toThrow('must not be before 1970')
  })
})

describe('a claim', () => {
  it('is matured from its due second on, as on chain', () => {
    expect([99n, 100n, 101n].map((now) => isMatured({ dueAt: 100n }, now))).toEqual([false, true, true])
  })
})

describe('the current time', () => {
  it('is the last whole second of the clock, or the time of the block if that is later', () => {
    expect([99_999, 100_000, 100_999, 101_000].map((ms) => latestOf(ms, { timestamp: 100n }))).toEqual([
      100n,
      100n,
      100n,
      101n,
    ])
  })
})

describe('the days to a due date', () => {
  it('are whole ones, and none on the last day', () => {
    expect([0n, 86_399n, 86_400n, 172_799n].map((left) => daysToDue(1_000_000n, 1_000_000n - left))).toEqual([
      0n,
      0n,
      1n,
      1n,
    ])
  })
})
