import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { addressInput } from '../../api/domain/address.ts'
import { hashInput } from '../../api/domain/hash.ts'

const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const messages = (value: unknown) => addressInput.safeParse(value).error?.issues.map(({ message }) => message)

describe('an address', () => {
  it('is read in lower, upper and checksummed case, and becomes lowercase', () => {
    fc.assert(
      fc.property(hexDigits(40), (digits) => {
        const lowercase = `0x${digits}` as const
        expect(addressInput.parse(lowercase)).toBe(lowercase)
        expect(addressInput.parse(`0x${digits.toUpperCase()}`)).toBe(lowercase)
        expect(addressInput.parse(getAddress(lowercase))).toBe(lowercase)
      }),
    )
  })

  it('of mixed case with a wrong checksum is refused, whichever letter is wrong', () => {
    const checksummed = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    for (let i = 2; i < checksummed.length; i++) {
      const letter = checksummed[i] ?? ''
      if (!/[a-f]/i.test(letter)) continue
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      const wrong = checksummed.slice(0, i) + other + checksummed.slice(i + 1)
      expect([wrong, messages(wrong)]).toEqual([wrong, [expect.stringContaining('wrong checksum')]])
    }
  })

  it('is refused in any other shape', () => {
    const digits = 'a'.repeat(40)
    for (const text of [
      '',
      digits,
      `0X${digits}`,
      `0x${digits}a`,
      `0x${digits.slice(1)}`,
      `0x${digits}\n`,
      `0x${'g'.repeat(40)}`,
    ]) {
      expect([text, messages(text)]).toEqual([text, ['must be an address: 0x and 40 hex digits']])
    }
  })
})

describe('an id', () => {
  it('is 32 bytes of hex in any case, and becomes lowercase', () => {
    fc.assert(
      fc.property(hexDigits(64), (digits) => {
        expect(hashInput.parse(`0x${digits.toUpperCase()}`)).toBe(`0x${digits}`)
      }),
    )
    for (const text of [
      '',
      '0x',
      `0x${'a'.repeat(63)}`,
      `0x${'a'.repeat(65)}`,
      'a'.repeat(64),
      `0x${'a'.repeat(64)}\n`,
    ]) {
      expect([text, hashInput.safeParse(text).success]).toEqual([text, false])
    }
  })
})
