import { expect, it } from 'vitest'
import { toSecrets } from '../../api/auth/secrets.ts'

const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes)

it('takes all configured secrets in their order', () => {
  const texts = toSecrets(['first', 'second'], zeros).map((secret) => new TextDecoder().decode(secret))
  expect(texts).toEqual(['first', 'second'])
})

it('takes a random secret of 32 bytes where none is configured', () => {
  expect(toSecrets([], zeros)).toEqual([zeros(32)])
})
