/** The comparison of an answer with the expected one (packages/client/src/verify/compare.ts). */
import { describe, expect, it } from 'vitest'
import { compare } from '../../packages/client/src/verify/compare.ts'

const TRANSACTION = { to: '0xab', value: '0' }

describe('an answer', () => {
  it('is taken with members that the client does not know, and hex digits in any case', () => {
    const received = { transaction: { ...TRANSACTION, to: '0xAB' }, explanation: 'text' }
    expect(() => compare(received, { transaction: TRANSACTION })).not.toThrow()
  })

  it.each(['gas', 'constructor', 'toString', '__proto__'])(
    'is refused with the further member %s in what the wallet sends',
    (name) => {
      const received: unknown = JSON.parse(`{"transaction":{"to":"0xab","value":"0","${name}":{}}}`)
      expect(() => compare(received, { transaction: TRANSACTION })).toThrow(`\`transaction.${name}\``)
    },
  )

  it('is refused with a short message, however long the received value is', () => {
    const received = { transaction: { ...TRANSACTION, value: '9'.repeat(1_000_000) } }
    const message = messageOf(() => compare(received, { transaction: TRANSACTION }))
    expect(message).toContain('`transaction.value`')
    expect(message.length).toBeLessThan(500)
  })
})

function messageOf(run: () => void): string {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  return ''
}
