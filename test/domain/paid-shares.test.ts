/** The division of payments, as contracts/PaidShares.sol documents it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide } from '../../api/domain/paid-shares.ts'
import { sum } from '../support/sum.ts'

const slicesOf = (...faces: readonly bigint[]) => faces.map((faceAmount) => ({ faceAmount }))

describe('what is paid of a claim', () => {
  it('is divided in proportion to what the slices before leave, each share rounded down', () => {
    // 3 of 10 units: 3 * 3 / 10, then 3 * 3 / 7 of what is left, then 2 * 2 / 4.
    expect(divide(slicesOf(3n, 3n, 2n), { faceValue: 10n, paidFaceValue: 3n })).toEqual({
      shares: [0n, 1n, 1n],
      beneficiaryShare: 1n,
    })
    expect(divide([], { faceValue: 10n, paidFaceValue: 3n })).toEqual({ shares: [], beneficiaryShare: 3n })
  })

  it('is the face of each slice once all is paid, and never less for a larger payment', () => {
    const faces = fc.array(fc.bigInt({ min: 1n, max: 2n ** 100n }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(faces, fc.bigInt({ min: 0n, max: 5n }), fc.bigInt(0n, 10_000n), (parts, rest, portion) => {
        const faceValue = sum(parts) + rest
        const whole = divide(slicesOf(...parts), { faceValue, paidFaceValue: faceValue })
        expect(whole).toEqual({ shares: parts, beneficiaryShare: rest })
        const paidFaceValue = (faceValue * portion) / 10_001n
        const [one, more] = [paidFaceValue, paidFaceValue + 1n].map((paid) =>
          divide(slicesOf(...parts), { faceValue, paidFaceValue: paid }),
        )
        expect(sum(one?.shares ?? []) + (one?.beneficiaryShare ?? 0n)).toBe(paidFaceValue)
        for (const [index, share] of (one?.shares ?? []).entries())
          expect(more?.shares[index]).toBeGreaterThanOrEqual(share)
      }),
    )
  })
})
