import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, exportSPKI, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { issueToken, type TokenSettings, verifyToken } from '../../api/auth/token.ts'
import { CodedError } from '../../api/errors.ts'
import { rejection } from '../support/coded.ts'
import { assertProperty } from '../support/property.ts'

const wallet = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const proven = { wallet, signedBy: 'CONTRACT' } as const
const now = 1_800_000_000
const settings: TokenSettings = {
  secrets: [randomBytes(32)],
  issuer: 'gateway',
  audience: 'app.example',
  chainId: 31_337,
}
const good = {
  sub: wallet,
  iss: 'gateway',
  aud: 'app.example',
  iat: now,
  exp: now + 3600,
  jti: 'id',
  chainId: 31_337,
}

const issue = (changes: Partial<TokenSettings> = {}) =>
  issueToken({ ...settings, ...changes }, proven, randomBytes, now).then(({ token }) => token)
const refusal = (token: string, clock = now) => rejection(verifyToken(settings, token, clock))
const sign = (payload: Record<string, unknown>, header = { alg: 'HS256' }) =>
  new SignJWT(payload).setProtectedHeader(header).sign(settings.secrets[0])

describe('a token', () => {
  it('says whose it is, who issued it for whom, when, until when and for which chain', async () => {
    const token = await issue()
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decodeJwt(token)).toEqual({
      sub: wallet,
      iss: 'gateway',
      aud: 'app.example',
      iat: now,
      exp: now + 3600,
      jti: expect.stringMatching(/^[0-9a-f]{32}$/),
      chainId: 31_337,
      signedBy: 'CONTRACT',
    })
  })

  it('without the claim of what proved the sign-in, from an earlier version, stands for a key', async () => {
    expect(await verifyToken(settings, await sign(good), now)).toMatchObject({ signedBy: 'KEY' })
    expect(await refusal(await sign({ ...good, signedBy: 'NOBODY' }))).toBe('UNAUTHENTICATED')
  })

  it('is good for an hour', async () => {
    const token = await issue()
    const session = { id: decodeJwt(token).jti, ...proven, issuedAt: now, expiresAt: now + 3600 }
    expect(await verifyToken(settings, token, now + 3599)).toEqual(session)
    await expect(verifyToken(settings, token, now + 3600)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      facts: { reason: 'TOKEN_EXPIRED' },
    })
  })

  it('stays good while its secret is among those that verify; new ones are signed by the first', async () => {
    const token = await issue()
    const rotated: TokenSettings = { ...settings, secrets: [randomBytes(32), ...settings.secrets] }
    expect((await verifyToken(rotated, token, now)).wallet).toBe(wallet)
    const { token: fresh } = await issueToken(rotated, proven, randomBytes, now)
    expect((await verifyToken({ ...rotated, secrets: [rotated.secrets[0]] }, fresh, now)).wallet).toBe(wallet)
    expect(await rejection(verifyToken(settings, fresh, now))).toBe('UNAUTHENTICATED')
  })

  it('of another secret, audience, issuer or chain is refused', async () => {
    for (const changes of [
      { secrets: [randomBytes(32)] as const },
      { audience: 'evil.example' },
      { issuer: 'another' },
      { chainId: 1 },
    ]) {
      expect(await refusal(await issue(changes))).toBe('UNAUTHENTICATED')
    }
  })

  it('without a signature (alg none) is refused', async () => {
    const unsecured = new UnsecuredJWT(good).encode()
    expect(await refusal(unsecured)).toBe('UNAUTHENTICATED')
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')
      expect(await refusal(`${header}.${unsecured.split('.')[1]}.`)).toBe('UNAUTHENTICATED')
    }
  })

  it('of another algorithm is refused: RS256 by a key pair, and HS256 keyed by a public key (confusion)', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rs256 = await new SignJWT(good).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    expect(await refusal(rs256)).toBe('UNAUTHENTICATED')
    const publicPem = Buffer.from(await exportSPKI(publicKey))
    const confused = await new SignJWT(good).setProtectedHeader({ alg: 'HS256' }).sign(publicPem)
    expect(await refusal(confused)).toBe('UNAUTHENTICATED')
    const [, payload, signature] = (await sign(good)).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'RS256' })).toString('base64url')
    expect(await refusal(`${header}.${payload}.${signature}`)).toBe('UNAUTHENTICATED')
    expect(await refusal(await sign(good, { alg: 'HS512' }))).toBe('UNAUTHENTICATED')
  })

  it('with any claim missing or of the wrong kind is refused, though the signature is ours', async () => {
    expect((await verifyToken(settings, await sign(good), now)).wallet).toBe(wallet)
    for (const claim of ['sub', 'iss', 'aud', 'iat', 'exp', 'jti', 'chainId']) {
      const { [claim]: _, ...rest } = good as Record<string, unknown>
      expect(await refusal(await sign(rest))).toBe('UNAUTHENTICATED')
      expect(await refusal(await sign({ ...good, [claim]: { $ne: null } }))).toBe('UNAUTHENTICATED')
    }
    expect(await refusal(await sign({ ...good, sub: wallet.toUpperCase() }))).toBe('UNAUTHENTICATED')
    expect(await refusal(await sign({ ...good, nbf: now + 60 }))).toBe('UNAUTHENTICATED')
  })

  it('issued in the future is refused, but for what the clocks of two replicas may differ', async () => {
    const issuedAt = (iat: number) => sign({ ...good, iat, exp: iat + 3600 })
    for (const ahead of [0, 1, 120]) {
      expect((await verifyToken(settings, await issuedAt(now + ahead), now)).wallet).toBe(wallet)
    }
    for (const ahead of [121, 3600, 2 ** 31, Number.MAX_SAFE_INTEGER - now - 3600]) {
      await expect(verifyToken(settings, await issuedAt(now + ahead), now)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        facts: { reason: 'TOKEN_INVALID' },
      })
    }
  })

  it('with any one character of it changed is refused', async () => {
    const token = await issue()
    for (const index of [
      0,
      10,
      token.indexOf('.') + 3,
      token.lastIndexOf('.') - 3,
      token.lastIndexOf('.') + 5,
    ]) {
      const other = token[index] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, index) + other + token.slice(index + 1)
      expect(await refusal(changed)).toBe('UNAUTHENTICATED')
    }
  })

  it('made of garbage is refused and breaks nothing', async () => {
    const parts = fc
      .array(fc.oneof(fc.base64String(), fc.string()), { maxLength: 5 })
      .map((list) => list.join('.'))
    await assertProperty(
      fc.asyncProperty(fc.oneof(fc.string(), parts), async (text) => {
        const error = await verifyToken(settings, text, now).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(CodedError)
      }),
      { numRuns: 300 },
    )
  })
})
