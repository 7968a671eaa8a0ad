/**
 * The nonce of a sign-in (EIP-4361): random bytes, an expiry and a MAC over both, in hex. Issuing one writes nothing,
 * so requests cannot fill a table; `used-nonces.ts` enforces a single use when a signature is verified.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { CodedError } from '../errors.ts'
import { deriveKey, type Secrets } from './secrets.ts'
import { NONCE_LIFETIME_SECONDS } from './sign-in-limits.ts'

const RANDOM_BYTES = 16
const EXPIRY_BYTES = 5
const MAC_BYTES = 16
const BODY_LENGTH = 2 * (RANDOM_BYTES + EXPIRY_BYTES)
export const NONCE_LENGTH = BODY_LENGTH + 2 * MAC_BYTES
export const NONCE = new RegExp(`^[0-9a-f]{${NONCE_LENGTH}}$`)

export type IssuedNonce = {
  nonce: string
  /** Unix seconds. */
  expiresAt: number
}

/** @param now Unix seconds */
export function issueNonce(
  secrets: Secrets,
  random: (bytes: number) => Uint8Array,
  now: number,
): IssuedNonce {
  const expiresAt = now + NONCE_LIFETIME_SECONDS
  const body = Buffer.from(random(RANDOM_BYTES)).toString('hex') + hexExpiry(expiresAt)
  return { nonce: body + mac(secrets[0], body), expiresAt }
}

/**
 * Checks a nonce, and returns the time from which it is refused, in Unix seconds.
 *
 * @throws `NONCE_INVALID` for one that this service did not issue, `NONCE_EXPIRED` for one that is too old
 */
export function checkNonce(secrets: Secrets, nonce: string, now: number): number {
  const body = nonce.slice(0, BODY_LENGTH)
  const issuedHere =
    NONCE.test(nonce) && secrets.some((secret) => isMac(secret, body, nonce.slice(BODY_LENGTH)))
  if (!issuedHere) {
    throw new CodedError(
      'NONCE_INVALID',
      'The nonce was not issued by this service. Use the nonce of GET /api/v1/auth/nonce unchanged.',
    )
  }
  const expiresAt = Number.parseInt(body.slice(2 * RANDOM_BYTES), 16)
  if (now >= expiresAt) {
    throw new CodedError(
      'NONCE_EXPIRED',
      `A nonce is valid for ${NONCE_LIFETIME_SECONDS} seconds. Get a new one and have the wallet sign again.`,
    )
  }
  return expiresAt
}

function hexExpiry(expiresAt: number): string {
  return expiresAt.toString(16).padStart(2 * EXPIRY_BYTES, '0')
}

function isMac(secret: Uint8Array, body: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(mac(secret, body)), Buffer.from(given))
}

function mac(secret: Uint8Array, body: string): string {
  return createHmac('sha256', deriveKey(secret, 'sign-in nonce'))
    .update(body)
    .digest('hex')
    .slice(0, 2 * MAC_BYTES)
}
