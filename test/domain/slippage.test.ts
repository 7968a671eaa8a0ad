/** Bounds of a call are on the side of the caller, to the unit. */
import { describe, expect, it } from 'vitest'
import { MAX_UINT256 } from '../../api/domain/money.ts'
import { atLeast, atMost } from '../../api/domain/slippage.ts'

describe('a call with slippage', () => {
  it('gives at least the amount less the slippage, rounded down', () => {
    expect([0, 1, 10, 10_000].map((bps) => atLeast(10_001n, bps))).toEqual([10_001n, 9_999n, 9_990n, 0n])
    expect(atLeast(0n, 10)).toBe(0n)
    expect(atLeast(MAX_UINT256, 0)).toBe(MAX_UINT256)
  })

  it('takes at most the amount and the slippage, rounded up, and no more than a contract can hold', () => {
    expect([0, 1, 10, 10_000].map((bps) => atMost(10_001n, bps))).toEqual([
      10_001n,
      10_003n,
      10_012n,
      20_002n,
    ])
    expect(atMost(0n, 10)).toBe(0n)
    expect([0, 1].map((bps) => atMost(MAX_UINT256, bps))).toEqual([MAX_UINT256, MAX_UINT256])
  })
})
