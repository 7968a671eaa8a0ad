/** Times and addresses of pages. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstDayShown, monthFrom } from '../../explorer/src/parts/periods.ts'
import { isAddress, isHash } from '../../explorer/src/place/hex.ts'

describe('a period of a page, in UTC', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('of charts begins with the day that was 90 days ago', () => {
    vi.setSystemTime('2026-03-31T23:59:59.999Z')
    expect(firstDayShown()).toBe('2025-12-31T00:00:00Z')
    vi.setSystemTime('2026-04-01T00:00:00Z')
    expect(firstDayShown()).toBe('2026-01-01T00:00:00Z')
  })

  it('of statements is a month, also at the last day of a longer one and over the end of a year', () => {
    vi.setSystemTime('2026-03-31T23:59:59.999Z')
    expect([monthFrom(-1), monthFrom(0), monthFrom(1)]).toEqual([
      '2026-02-01T00:00:00Z',
      '2026-03-01T00:00:00Z',
      '2026-04-01T00:00:00Z',
    ])
    vi.setSystemTime('2026-01-01T00:00:00Z')
    expect([monthFrom(-1), monthFrom(0)]).toEqual(['2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'])
  })
})

it('an address and a hash are hex digits in any case, of their lengths and no more', () => {
  expect([isAddress(`0x${'aB'.repeat(20)}`), isHash(`0x${'aB'.repeat(32)}`)]).toEqual([true, true])
  for (const text of [
    null,
    undefined,
    '',
    `0x${'a'.repeat(39)}`,
    `0x${'a'.repeat(41)}`,
    `0x${'g'.repeat(40)}`,
  ])
    expect(isAddress(text), `${text}`).toBe(false)
  for (const text of [null, `0x${'a'.repeat(63)}`, `0x${'a'.repeat(65)}`, `a0x${'a'.repeat(64)}`])
    expect(isHash(text), `${text}`).toBe(false)
})
