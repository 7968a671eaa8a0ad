/** The dues of a claim at a time. */
import { describe, expect, it } from 'vitest'
import { overdueSince } from '../../api/domain/claim.ts'

describe('a claim', () => {
  it('is overdue after its due second, while it is financed and not settled', () => {
    for (const state of ['PARTIALLY_FUNDED', 'FULLY_FUNDED', 'CLOSED'] as const) {
      expect(overdueSince({ dueAt: 50n, state }, 50n)).toBeNull()
      expect(overdueSince({ dueAt: 50n, state }, 51n)).toBe(50n)
    }
    for (const state of ['ELIGIBLE', 'SETTLED', 'REVOKED'] as const) {
      expect(overdueSince({ dueAt: 50n, state }, 51n)).toBeNull()
    }
  })
})
