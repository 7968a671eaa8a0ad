import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advanceOf, discountAmount, effectiveDiscountBps, faceForAdvance } from '../../api/domain/discount.ts'
import { supportedTypes } from '../../api/domain/mandate.ts'

const rate = fc.bigInt({ min: 0n, max: 9_999n })
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 100_000n }), fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }))

describe('the face for an advance', () => {
  it('is the least that advances as much', () => {
    fc.assert(
      fc.property(amount, rate, (advance, bps) => {
        const face = faceForAdvance(advance, bps)
        expect(advanceOf(face, bps)).toBeGreaterThanOrEqual(advance)
        expect(advanceOf(face - 1n, bps)).toBeLessThan(advance)
      }),
    )
  })
})

describe('a discount', () => {
  it('is rounded up, and the advance is what it leaves of the face', () => {
    expect([0n, 1n, 9_999n, 10_000n].map((bps) => discountAmount(10_001n, bps))).toEqual([
      0n,
      2n,
      10_000n,
      10_001n,
    ])
    expect([0n, 1n, 9_999n, 10_000n].map((bps) => advanceOf(10_001n, bps))).toEqual([10_001n, 9_999n, 1n, 0n])
  })

  it('of a route is its cost over its face, rounded up, and 0 for an empty route', () => {
    expect(effectiveDiscountBps(1n, 10_000n)).toBe(1n)
    expect(effectiveDiscountBps(1n, 10_001n)).toBe(1n)
    expect(effectiveDiscountBps(1n, 9_999n)).toBe(2n)
    expect(effectiveDiscountBps(0n, 0n)).toBe(0n)
  })
})

describe('the claim types of a mandate', () => {
  it('are those whose bits are set, the first and the last included', () => {
    expect(supportedTypes(0n)).toEqual([])
    expect(supportedTypes((1n << 255n) | 0b101n)).toEqual([0, 2, 255])
    expect(supportedTypes(2n ** 256n - 1n)).toHaveLength(256)
  })
})
