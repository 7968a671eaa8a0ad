import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodedError } from '../../api/errors.ts'
import { decodeCursor, encodeCursor, isValue } from '../../api/projection/sql/cursor.ts'

const byTime = { name: 'registeredAt', kinds: ['integer', 'hex'] } as const
const bySlice = { name: 'fundedAt', kinds: ['integer', 'hex', 'count'] } as const
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

describe('cursors', () => {
  it('come back as the key they were made from', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), hash, fc.nat(7), (at, id, slice) => {
        const key = [at, id, slice]
        expect(decodeCursor(bySlice, encodeCursor(bySlice, key), 'cursor')).toEqual(key.map(String))
      }),
    )
  })

  it('are good for the order they were made in, and no other', () => {
    const cursor = encodeCursor(byTime, [1n, `0x${'ab'.repeat(32)}`])
    for (const other of [{ ...byTime, name: 'dueAt' }, bySlice]) {
      expect(() => decodeCursor(other, cursor, 'cursor')).toThrow(CodedError)
    }
  })

  it('are good for keys of as many parts as they were made from', () => {
    const kinds = ['integer', 'hex', 'hex'] as const
    const key = ['1', '0xab', '0x14']
    const shapes = [1, 2, 3].map((parts) => ({ name: 'registeredAt', kinds: kinds.slice(0, parts) }))
    for (const made of shapes) {
      const own = key.slice(0, made.kinds.length)
      const cursor = encodeCursor(made, own)
      expect(decodeCursor(made, cursor, 'cursor')).toEqual(own)
      for (const other of shapes.filter((shape) => shape !== made))
        expect(() => decodeCursor(other, cursor, 'cursor'), `${other.kinds} for ${own}`).toThrow(CodedError)
    }
  })

  it('are refused with the name of the field when they were not made here', () => {
    const forged = [
      '',
      'x',
      '%%%',
      'a'.repeat(100_000),
      Buffer.from('{}').toString('base64url'),
      Buffer.from('[["registeredAt"]]').toString('base64url'),
      Buffer.from('["registeredAt","1"]').toString('base64url'),
      Buffer.from('["registeredAt",1,"0xab"]').toString('base64url'),
      Buffer.from('["registeredAt","-1","0xab"]').toString('base64url'),
      Buffer.from('["registeredAt","1e3","0xab"]').toString('base64url'),
      Buffer.from('["registeredAt","1","0xab\\u0000"]').toString('base64url'),
      Buffer.from('["registeredAt","1","\'; drop table claim"]').toString('base64url'),
      Buffer.from('["registeredAt", "1", "0xab"]').toString('base64url'),
      `${encodeCursor(byTime, [1n, '0xab'])}=`,
      `${encodeCursor(byTime, [1n, '0xab'])}!!`,
    ]
    for (const cursor of forged) {
      expect(() => decodeCursor(byTime, cursor, 'after'), cursor.slice(0, 80)).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_FAILED',
          errors: [expect.objectContaining({ path: 'after' })],
        }),
      )
    }
  })

  it('are refused, never thrown over, for any text at all', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(byTime, text, 'cursor')).toThrow(CodedError)
      }),
    )
  })

  it.each([
    ['integer', '9'.repeat(100), '9'.repeat(101)],
    ['integer', '0', '00'],
    ['count', '9'.repeat(9), '1'.repeat(10)],
    ['count', '0', '01'],
    ['ordinal', '9'.repeat(18), '09'],
    ['ordinal', `4${'9'.repeat(18)}`, `5${'0'.repeat(18)}`],
    ['hex', `0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}a`],
    ['hex', '0x0', '0x'],
    ['hex', '0xab', '0xAB'],
    ['text', 't'.repeat(128), 't'.repeat(129)],
    ['text', 'a_b-1', 'a b'],
    ['boolean', 'true', 'TRUE'],
    ['boolean', 'false', 'falsee'],
  ] as const)('have values of the kind %s such as %s, and not %s', (kind, value, other) => {
    expect([isValue(kind, value), isValue(kind, other), isValue(kind, '')]).toEqual([true, false, false])
  })
})
