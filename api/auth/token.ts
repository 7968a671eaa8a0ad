/** Access tokens: JWTs (RFC 7519) signed with HS256, valid for one wallet on one chain for one hour. */
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Address } from 'viem'
import { z } from 'zod'
import type { SignedBy } from '../domain/signed-by.ts'
import { CodedError } from '../errors.ts'
import type { Secrets } from './secrets.ts'
import { CLOCK_SKEW_SECONDS, TOKEN_LIFETIME_SECONDS } from './sign-in-limits.ts'

export type TokenSettings = { secrets: Secrets; issuer: string; audience: string; chainId: number }

export type Session = {
  /** Id of the token (`jti`). */
  id: string
  wallet: Address
  signedBy: SignedBy
  /** Unix seconds. */
  issuedAt: number
  /** Unix seconds; the token is refused from then on. */
  expiresAt: number
}

const ALGORITHM = 'HS256'
const ID_BYTES = 16
/**
 * Maximum number of characters of a token. A token has about 2,500 if JSON escapes every character of issuer and
 * audience by six.
 */
export const TOKEN_LENGTH = 4096

const claims = z.object({
  sub: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1),
  chainId: z.int(),
  /** Absent in tokens that were issued before this claim existed. */
  signedBy: z.enum(['KEY', 'CONTRACT']).default('KEY'),
})

/** @param now Unix seconds */
export async function issueToken(
  { secrets, issuer, audience, chainId }: TokenSettings,
  { wallet, signedBy }: Pick<Session, 'wallet' | 'signedBy'>,
  random: (bytes: number) => Uint8Array,
  now: number,
): Promise<{ token: string; session: Session }> {
  const id = Buffer.from(random(ID_BYTES)).toString('hex')
  const expiresAt = now + TOKEN_LIFETIME_SECONDS
  const token = await new SignJWT({ chainId, signedBy })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(wallet)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .setJti(id)
    .sign(secrets[0])
  return { token, session: { id, wallet, signedBy, issuedAt: now, expiresAt } }
}

/**
 * Returns the session of a token.
 *
 * @throws `UNAUTHENTICATED`, with the reason `TOKEN_EXPIRED` for a token that was valid before, else `TOKEN_INVALID`
 */
export async function verifyToken(settings: TokenSettings, token: string, now: number): Promise<Session> {
  for (const secret of settings.secrets) {
    const payload = await readPayload(settings, secret, token, now)
    if (payload) return toSession(settings, payload, now)
  }
  throw tokenInvalid()
}

/** Undefined if another secret signed the token. */
async function readPayload(
  { issuer, audience }: TokenSettings,
  secret: Uint8Array,
  token: string,
  now: number,
): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      currentDate: new Date(now * 1000),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined
    if (error instanceof errors.JWTExpired) {
      throw unauthenticated('TOKEN_EXPIRED', 'The session is over. Sign in again.', error)
    }
    if (error instanceof errors.JOSEError) throw tokenInvalid(error)
    throw error
  }
}

function toSession(settings: TokenSettings, payload: unknown, now: number): Session {
  const { data } = claims.safeParse(payload)
  if (!data || data.chainId !== settings.chainId) throw tokenInvalid()
  if (data.iat > now + CLOCK_SKEW_SECONDS) throw issuedInFuture(data.iat - now)
  return { id: data.jti, wallet: data.sub, signedBy: data.signedBy, issuedAt: data.iat, expiresAt: data.exp }
}

function tokenInvalid(cause?: unknown): CodedError {
  return unauthenticated(
    'TOKEN_INVALID',
    'The token was not issued by this service. Sign in to get one.',
    cause,
  )
}

/** jose checks `exp` and `nbf` only; a replica with a fast clock would issue tokens that live longer. */
function issuedInFuture(secondsAhead: number): CodedError {
  const detail = `The token was issued ${secondsAhead} seconds in the future; clocks may differ by ${CLOCK_SKEW_SECONDS} seconds. Sign in again.`
  return unauthenticated('TOKEN_INVALID', detail)
}

/** @param reason for programs: only an expired session justifies a new sign-in without a question to the user */
export function unauthenticated(
  reason: 'TOKEN_MISSING' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'TOKEN_REVOKED',
  detail: string,
  cause?: unknown,
): CodedError {
  return new CodedError('UNAUTHENTICATED', detail, { facts: { reason }, cause })
}
