import { hkdfSync } from 'node:crypto'

const SECRET_BYTES = 32

/**
 * Keys of nonces and tokens: all of them verify, the first one signs, so a secret is replaced without signing anyone
 * out.
 */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]

/** @param configured may be absent outside production: then the process makes a secret, and its sessions end with it */
export function toSecrets(configured: readonly string[], random: (bytes: number) => Uint8Array): Secrets {
  const [first, ...others] = configured.map((secret) => new TextEncoder().encode(secret))
  return first ? [first, ...others] : [random(SECRET_BYTES)]
}

/** Derives a key for one purpose (RFC 5869), so that no text signed for one purpose is valid for another. */
export function deriveKey(secret: Uint8Array, purpose: 'sign-in nonce' | 'csrf token'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
