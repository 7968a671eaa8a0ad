/** The books of a vault and the dues of a claim at a time. */
import { describe, expect, it } from 'vitest'
import { overdueSince } from '../../api/domain/claim.ts'
import { lockedProfit, sharePrice, totalAssets, yieldToDateBps } from '../../api/domain/vault.ts'

const books = {
  idleAssets: 10_000n,
  outstandingAdvance: 5_000n,
  outstandingImpairment: 1_000n,
  totalShares: 7n,
  unlockingAmount: 10n,
  unlockingSince: 100n,
  unlockingUntil: 130n,
}

describe('locked profit', () => {
  it('unlocks linearly, and a broken unit is still locked', () => {
    expect([100n, 101n, 103n, 129n, 130n, 999n].map((now) => lockedProfit(books, now))).toEqual([
      10n,
      10n,
      9n,
      1n,
      0n,
      0n,
    ])
    expect(totalAssets(books, 100n)).toBe(13_990n)
    expect(totalAssets(books, 130n)).toBe(14_000n)
  })

  it('is all that is left while there are no shares', () => {
    expect(lockedProfit({ ...books, totalShares: 0n }, 999n)).toBe(14_000n)
    expect(totalAssets({ ...books, totalShares: 0n }, 999n)).toBe(0n)
  })
})

describe('the price of a share', () => {
  it('counts one virtual asset and share, as the contract does, and is rounded down', () => {
    // 14,000 assets and 7 shares: 14,001 over 8.
    expect(sharePrice(books, 2, 130n)).toBe(175_012n)
    expect(yieldToDateBps(books, 130n)).toBe(17_501_250n - 10_000n)
  })

  it('is one whole token, without yield, before the first deposit', () => {
    const empty = { ...books, totalShares: 0n }
    expect([sharePrice(empty, 6, 130n), yieldToDateBps(empty, 130n)]).toEqual([1_000_000n, 0n])
  })
})

describe('a claim', () => {
  it('is overdue after its due second, while it is financed and not settled', () => {
    for (const state of ['PARTIALLY_FUNDED', 'FULLY_FUNDED'] as const) {
      expect(overdueSince({ dueAt: 50n, state }, 50n)).toBeNull()
      expect(overdueSince({ dueAt: 50n, state }, 51n)).toBe(50n)
    }
    for (const state of ['ELIGIBLE', 'SETTLED', 'REVOKED'] as const) {
      expect(overdueSince({ dueAt: 50n, state }, 51n)).toBeNull()
    }
  })
})
