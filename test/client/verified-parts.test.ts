/** Parts of the expected answers: times, discounts, signatures, and the plans that a client keeps. */
import { serializeSignature } from 'viem'
import { describe, expect, it } from 'vitest'
import { legsOf, secondsAt, timeOf } from '../../packages/client/src/verify/parts.ts'
import { signedPermitIn } from '../../packages/client/src/verify/permit.ts'
import { createPlans } from '../../packages/client/src/verify/plans.ts'

describe('a time', () => {
  it('is written to the second, up to the last one that has four digits of the year', () => {
    expect(timeOf(0n)).toBe('1970-01-01T00:00:00Z')
    expect(timeOf(253_402_300_799n)).toBe('9999-12-31T23:59:59Z')
    expect(timeOf(2n ** 64n)).toBe('9999-12-31T23:59:59Z')
  })

  it('is read without the parts of its second', () => {
    expect(secondsAt({ at: '2026-01-01T00:00:00.999Z' }, 'at')).toBe(1_767_225_600n)
    expect(() => secondsAt({ at: 'soon' }, 'at')).toThrow('it must be a time')
  })
})

it('a discount is rounded up to a basis point, and is none of nothing', () => {
  const discountOf = (faceAmount: bigint, advanceAmount: bigint) => {
    const leg = {
      claimId: '0x01',
      vault: '0x02',
      faceAmount,
      minimumAdvanceAmount: 0n,
      advanceAmount,
    } as const
    return legsOf([leg]).totals
  }
  expect(discountOf(10_001n, 10_000n)).toMatchObject({ totalCost: '1', effectiveDiscountBps: 1 })
  expect(discountOf(20_000n, 19_998n)).toMatchObject({ totalCost: '2', effectiveDiscountBps: 1 })
  expect(discountOf(0n, 0n)).toMatchObject({ totalCost: '0', effectiveDiscountBps: 0 })
})

it.each([0, 1])('a permit has the recovery id of its signature, with the parity %i', (yParity) => {
  const [r, s] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] as const
  const permit = { deadline: '2026-01-01T00:00:00Z', signature: serializeSignature({ r, s, yParity }) }
  expect(signedPermitIn({ body: { permit } })).toEqual([1_767_225_600n, 27 + yParity, r, s])
})

describe('the plans of a client', () => {
  const keepMany = (ids: readonly number[]) => {
    const plans = createPlans()
    for (const [requestedAt, id] of ids.entries())
      plans.keep({}, { routeId: `${id}`, result: { legs: [id] } }, requestedAt)
    return plans
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, id) => id)

  it('are the latest hundred', () => {
    const plans = keepMany(upTo(101))
    expect([0, 1, 100].map((id) => plans.find(`${id}`)?.legs)).toEqual([undefined, [1], [100]])
  })

  it('keep a route that was planned again as the latest one', () => {
    const plans = keepMany([...upTo(100), 0, 100])
    expect([0, 1, 2].map((id) => plans.find(`${id}`)?.requestedAt)).toEqual([100, undefined, 2])
  })

  it('have none that is not executable', () => {
    const plans = createPlans()
    plans.keep({}, { routeId: null, result: {} }, 0)
    expect(plans.find(null)).toBeUndefined()
  })
})
