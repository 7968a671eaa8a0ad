import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodedError } from '../../api/errors.ts'
import { decodeCursor, encodeCursor } from '../../api/projection/sql/cursor.ts'

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
})
