import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveDiscountBps } from '../../api/domain/discount.ts'
import {
  formatMoney,
  MAX_UINT256,
  moneyInput,
  parseMoney,
  positiveMoneyInput,
  signedMoneyInput,
} from '../../api/domain/money.ts'

describe('money', () => {
  it('is the same amount after it was written and read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_UINT256 }), (amount) => {
        expect(parseMoney(formatMoney(amount))).toBe(amount)
        expect(moneyInput.parse(formatMoney(amount))).toBe(amount)
      }),
    )
  })

  it('is read from nothing but plain decimal digits', () => {
    const refused = [
      '',
      ' ',
      '01',
      '00',
      '-1',
      '+1',
      '1.0',
      '1e3',
      '0x1',
      '1_000',
      '1,000',
      '1 ',
      '١',
      '1\n',
      '1\u0000',
    ]
    for (const text of refused) expect([text, parseMoney(text)]).toEqual([text, undefined])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const amount = parseMoney(text)
        expect(amount === undefined || formatMoney(amount) === text).toBe(true)
      }),
    )
  })

  it('ends at 2^256-1, and a number of any length beyond is refused without being computed', () => {
    expect(parseMoney(`${MAX_UINT256}`)).toBe(MAX_UINT256)
    expect(parseMoney(`${MAX_UINT256 + 1n}`)).toBeUndefined()
    expect(moneyInput.safeParse('9'.repeat(1_000_000)).error?.issues).toMatchObject([
      { message: 'must be at most 2^256-1' },
    ])
  })

  it('is a string: a JSON number is refused', () => {
    for (const value of [1, 1n, null, true, undefined])
      expect(moneyInput.safeParse(value).success).toBe(false)
  })

  it('may be zero only where nothing positive is asked for', () => {
    expect(moneyInput.parse('0')).toBe(0n)
    expect(positiveMoneyInput.safeParse('0').error?.issues).toMatchObject([
      { message: 'must be greater than 0' },
    ])
    expect(positiveMoneyInput.parse('1')).toBe(1n)
  })
})

describe('a difference of amounts', () => {
  it('is any whole number of up to 78 digits with or without a minus, and no other writing of it', () => {
    for (const amount of [-MAX_UINT256, -1n, 0n, 1n, MAX_UINT256])
      expect(signedMoneyInput.parse(`${amount}`)).toBe(amount)
    for (const text of ['-0', '+1', '-01', '1.0', '', '-', '9'.repeat(80), `-${'9'.repeat(79)}`])
      expect([text, signedMoneyInput.safeParse(text).success]).toEqual([text, false])
  })
})

describe('the effective discount', () => {
  it('rounds up and is zero where there is no face', () => {
    expect(effectiveDiscountBps(1n, 10_001n)).toBe(1n)
    expect(effectiveDiscountBps(250n, 10_000n)).toBe(250n)
    expect(effectiveDiscountBps(0n, 0n)).toBe(0n)
  })
})
