/** Terms that a vault cannot have, and those that take effect at once because no term is looser than before. */
import { describe, expect, it } from 'vitest'
import { isNowhereLooser, refuseInvalidTerms } from '../../api/prepare/judge-terms.ts'
import { coded } from '../support/coded.ts'

const mandate = {
  supportedTypesBitmap: 0b110n,
  minDurationDays: 5,
  maxDurationDays: 90,
  minFace: 10n,
  maxFace: 100n,
  maxClaimFace: 200n,
  maxIssuerFace: 300n,
}
const pricing = { baseDiscountBps: 100, durationBpsPerDay: 2, premiumBps: [0, 25] }
const present = { mandate, pricing }
const withMandate = (change: Partial<typeof mandate>) => ({ mandate: { ...mandate, ...change }, pricing })
const withPricing = (change: Partial<typeof pricing>) => ({ mandate, pricing: { ...pricing, ...change } })
const wider = { mandate: { ...mandate, maxFace: 101n } }

describe('terms are looser', () => {
  it.each([
    ['with another type', withMandate({ supportedTypesBitmap: 0b111n })],
    ['with one type in place of another', withMandate({ supportedTypesBitmap: 0b1010n })],
    ['with one type in place of a higher one', withMandate({ supportedTypesBitmap: 0b011n })],
    ['with one other type alone', withMandate({ supportedTypesBitmap: 0b001n })],
    ['from fewer days on', withMandate({ minDurationDays: 4 })],
    ['up to more days', withMandate({ maxDurationDays: 91 })],
    ['with a smaller smallest lot', withMandate({ minFace: 9n })],
    ['with a larger largest lot', withMandate({ maxFace: 101n })],
    ['with more of a claim', withMandate({ maxClaimFace: 201n })],
    ['with more of an issuer', withMandate({ maxIssuerFace: 301n })],
    ['at a lower rate', withPricing({ baseDiscountBps: 99 })],
    ['at a lower rate for a day', withPricing({ durationBpsPerDay: 1 })],
    ['with a lower premium', withPricing({ premiumBps: [0, 24] })],
    ['without a premium of the last type', withPricing({ premiumBps: [0] })],
    ['without premiums', withPricing({ premiumBps: [] })],
    ['with the premiums of two types exchanged', withPricing({ premiumBps: [25, 0] })],
    [
      'at a lower rate, and a higher one for a day',
      withPricing({ baseDiscountBps: 99, durationBpsPerDay: 3 }),
    ],
    [
      'at a higher rate, and a lower one for a day',
      withPricing({ baseDiscountBps: 200, durationBpsPerDay: 1 }),
    ],
    ['with one limit tighter, and another wider', withMandate({ maxFace: 99n, minFace: 9n })],
    ['with a limit wider, at a higher rate', { ...withPricing({ baseDiscountBps: 101 }), ...wider }],
  ])('%s', (_, next) => {
    expect(isNowhereLooser(next, present)).toBe(false)
  })
})

describe('terms are nowhere looser', () => {
  it.each([
    ['if they are the present ones', present],
    ['with fewer types', withMandate({ supportedTypesBitmap: 0b100n })],
    ['without types', withMandate({ supportedTypesBitmap: 0n })],
    ['from more days on', withMandate({ minDurationDays: 6 })],
    ['up to fewer days', withMandate({ maxDurationDays: 89 })],
    ['with a larger smallest lot', withMandate({ minFace: 11n })],
    ['with a smaller largest lot', withMandate({ maxFace: 99n })],
    ['with less of a claim', withMandate({ maxClaimFace: 199n })],
    ['with less of an issuer', withMandate({ maxIssuerFace: 299n })],
    ['at higher rates', withPricing({ baseDiscountBps: 101, durationBpsPerDay: 3, premiumBps: [1, 26] })],
    ['with a premium of another type', withPricing({ premiumBps: [0, 25, 5] })],
    ['with a premium of 0 in words', withPricing({ premiumBps: [0, 25, 0] })],
  ])('%s', (_, next) => {
    expect(isNowhereLooser(next, present)).toBe(true)
  })

  it('without premiums of 0, which the present terms state', () => {
    const stated = withPricing({ premiumBps: [5, 0, 0] })
    expect(isNowhereLooser(withPricing({ premiumBps: [5] }), stated)).toBe(true)
  })
})

describe('terms are refused', () => {
  const factsOf = (terms: typeof present) => {
    const { code, facts } = coded(() => refuseInvalidTerms(terms))
    return [code, facts.reason, facts.have, facts.need]
  }

  it.each(['maxFace', 'maxClaimFace', 'maxIssuerFace'] as const)(
    'whose smallest lot is a unit more than %s',
    (limit) => {
      const terms = withMandate({ minFace: 50n, [limit]: 49n })
      expect(factsOf(terms)).toEqual(['TERMS_INVALID', 'MANDATE', '50', '49'])
      refuseInvalidTerms(withMandate({ minFace: 50n, [limit]: 50n }))
    },
  )

  it('whose shortest duration is a day more than the longest', () => {
    const of = (minDurationDays: number) => withMandate({ minDurationDays })
    expect(factsOf(of(91))).toEqual(['TERMS_INVALID', 'MANDATE', '91', '90'])
    refuseInvalidTerms(of(90))
  })

  it('whose discount for the most days and the highest premium is all of the face', () => {
    // 90 days at 100 basis points, and the highest of three premiums.
    const of = (baseDiscountBps: number) =>
      withPricing({ baseDiscountBps, durationBpsPerDay: 100, premiumBps: [0, 25, 5] })
    expect(factsOf(of(975))).toEqual(['TERMS_INVALID', 'PRICING', '10000', '9999'])
    refuseInvalidTerms(of(974))
    refuseInvalidTerms(withPricing({ baseDiscountBps: 9_819, premiumBps: [] }))
  })
})
