/**
 * CSRF tokens of sessions in cookies: a MAC over the id of the session (OWASP CSRF Prevention Cheat Sheet, "Signed
 * Double-Submit Cookie"). A page of another site cannot read the token, and the token of another session does not
 * match, so nothing is stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Secrets } from './secrets.ts'
import type { Session } from './token.ts'

const CSRF_TOKEN = /^[0-9a-f]{64}$/

/** Computes the token that unsafe requests of the session send as `X-CSRF-Token`: 64 hexadecimal digits. */
export function csrfTokenOf(secrets: Secrets, session: Pick<Session, 'id'>): string {
  return mac(secrets[0], session)
}

/** Whether the text is the token of this session, by any of the secrets. */
export function isCsrfToken(secrets: Secrets, session: Pick<Session, 'id'>, text = ''): boolean {
  const given = Buffer.from(text)
  return (
    CSRF_TOKEN.test(text) &&
    secrets.some((secret) => timingSafeEqual(given, Buffer.from(mac(secret, session))))
  )
}

function mac(secret: Uint8Array, { id }: Pick<Session, 'id'>): string {
  return createHmac('sha256', deriveKey(secret, 'csrf token')).update(id).digest('hex')
}
