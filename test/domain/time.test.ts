import { describe, expect, it } from 'vitest'
import { isMatured } from '../../api/domain/claim.ts'
import { formatTime, time, unixNumber } from '../../api/domain/time.ts'

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

describe('a claim', () => {
  it('is matured from its due second on, as on chain', () => {
    expect([99n, 100n, 101n].map((now) => isMatured({ dueAt: 100n }, now))).toEqual([false, true, true])
  })
})
