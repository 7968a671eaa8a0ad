/**
 * Protection of sessions in cookies against forged requests. `hono/csrf` checks the origin of forms only, as other
 * content types need a preflight; here every request that is not safe must have an origin of the list and the token of
 * its session.
 */
import type { Context } from 'hono'
import { isCsrfToken } from '../auth/csrf.ts'
import type { SignInSettings } from '../auth/sign-in.ts'
import type { Session } from '../auth/token.ts'
import { includesOrigin } from '../domain/origin.ts'
import { CodedError } from '../errors.ts'

export const CSRF_HEADER = 'X-CSRF-Token'

/** Methods that change nothing (RFC 9110, section 9.2.1). GraphQL by GET is one: the schema has no mutations. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns the reason why the session of a cookie does not authenticate this request; undefined if it does. */
export function findForgery(c: Context, settings: SignInSettings, session: Session): CodedError | undefined {
  if (SAFE_METHODS.has(c.req.method)) return undefined
  return findForeignOrigin(c, settings) ?? findForeignToken(c, settings, session)
}

/** @throws `ORIGIN_NOT_ALLOWED` unless a page of the gateway's sites sent the request */
export function requireSiteOrigin(c: Context, settings: SignInSettings): void {
  const refusal = findForeignOrigin(c, settings)
  if (refusal) throw refusal
}

function findForeignOrigin(c: Context, { siteOrigins }: SignInSettings): CodedError | undefined {
  const origin = c.req.header('Origin')
  if (origin !== undefined && includesOrigin(siteOrigins, origin)) return undefined
  return new CodedError(
    'ORIGIN_NOT_ALLOWED',
    `The Origin of the request is ${origin === undefined ? 'missing' : 'not a site of this gateway'}. Requests with a session cookie must come from one (SITE_ORIGINS).`,
  )
}

function findForeignToken(c: Context, { secrets }: SignInSettings, session: Session): CodedError | undefined {
  if (isCsrfToken(secrets, session, c.req.header(CSRF_HEADER))) return undefined
  return new CodedError(
    'CSRF_TOKEN_INVALID',
    `Send the csrfToken of this session as ${CSRF_HEADER}. GET /api/v1/auth/me states it.`,
  )
}
