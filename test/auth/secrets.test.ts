import { expect, it } from 'vitest'
import { csrfTokenOf, isCsrfToken } from '../../api/auth/csrf.ts'
import { checkNonce, issueNonce } from '../../api/auth/nonce.ts'
import { type Secrets, toSecrets } from '../../api/auth/secrets.ts'

const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes)

it('takes all configured secrets in their order', () => {
  const texts = toSecrets(['first', 'second'], zeros).map((secret) => new TextDecoder().decode(secret))
  expect(texts).toEqual(['first', 'second'])
})

it('takes a random secret of 32 bytes where none is configured', () => {
  expect(toSecrets([], zeros)).toEqual([zeros(32)])
})

it('the first of two secrets makes nonces and CSRF tokens, so that the other one can be removed', () => {
  const first = zeros(32).fill(1)
  const both: Secrets = [first, zeros(32).fill(2)]
  const { nonce, expiresAt } = issueNonce(both, zeros, 1_800_000_000)
  expect(checkNonce([first], nonce, 1_800_000_000)).toBe(expiresAt)
  const session = { id: 'a session' }
  expect(isCsrfToken([first], session, csrfTokenOf(both, session))).toBe(true)
})
