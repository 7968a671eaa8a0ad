import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkNonce, issueNonce } from '../../api/auth/nonce.ts'
import type { Secrets } from '../../api/auth/secrets.ts'
import { code } from '../support/coded.ts'

const now = 1_800_000_000
const oldSecret = randomBytes(32)
const newSecret = randomBytes(32)
const secrets: Secrets = [oldSecret]

describe('a nonce', () => {
  it('is good until 5 minutes are over', () => {
    const { nonce, expiresAt } = issueNonce(secrets, randomBytes, now)
    expect(expiresAt).toBe(now + 300)
    expect(checkNonce(secrets, nonce, now)).toBe(expiresAt)
    expect(checkNonce(secrets, nonce, now + 299)).toBe(expiresAt)
    expect(code(() => checkNonce(secrets, nonce, now + 300))).toBe('NONCE_EXPIRED')
  })

  it('is alphanumeric and longer than the 8 characters of EIP-4361', () => {
    expect(issueNonce(secrets, randomBytes, now).nonce).toMatch(/^[a-zA-Z0-9]{8,}$/)
  })

  it('is another one every time', () => {
    const nonces = Array.from({ length: 1000 }, () => issueNonce(secrets, randomBytes, now).nonce)
    expect(new Set(nonces).size).toBe(1000)
  })

  it('survives the replacement of the secret, and not its removal', () => {
    const { nonce } = issueNonce(secrets, randomBytes, now)
    expect(checkNonce([newSecret, oldSecret], nonce, now)).toBe(now + 300)
    expect(code(() => checkNonce([newSecret], nonce, now))).toBe('NONCE_INVALID')
  })

  it('is refused with any one character changed, its expiry included', () => {
    const { nonce } = issueNonce(secrets, randomBytes, now)
    for (let index = 0; index < nonce.length; index++) {
      const other = nonce[index] === '0' ? '1' : '0'
      const forged = nonce.slice(0, index) + other + nonce.slice(index + 1)
      expect(code(() => checkNonce(secrets, forged, now))).toBe('NONCE_INVALID')
    }
  })

  it('is refused when nobody issued it, whatever it looks like', () => {
    const lookalike = fc.stringMatching(/^[0-9a-f]{74}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), lookalike, fc.stringMatching(/^[a-zA-Z0-9]{8,80}$/)), (text) => {
        expect(code(() => checkNonce(secrets, text, now))).toBe('NONCE_INVALID')
      }),
    )
  })
})
