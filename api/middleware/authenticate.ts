import type { Context } from 'hono'
import type { SignInSettings } from '../auth/sign-in.ts'
import { type Session, type TokenSettings, unauthenticated, verifyToken } from '../auth/token.ts'
import type { Clock } from '../deps.ts'
import { CodedError, toCodedError } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { isRevoked } from '../store/revoked-tokens.ts'
import { findForgery } from './csrf.ts'
import type { AppEnv, Authentication } from './env.ts'
import { type CookieSettings, hasCookieSession, readSessionCookie } from './session-cookie.ts'
import type { Step } from './steps.ts'

/**
 * Authenticates the token of the `Authorization` header, or without that header, of the session cookie. The guard refuses invalid ones, so
 * that a public read with an expired token is answered.
 */
export function authenticate(settings: SignInSettings, cookies: CookieSettings, clock: Clock): Step {
  return (c) => {
    const now = Math.floor(clock() / 1000)
    const header = c.req.header('Authorization')
    if (header !== undefined) return setAuthentication(c, readHeader(settings, header, now))
    const token = readSessionCookie(c, cookies)
    if (token !== undefined) return setAuthentication(c, readCookie(c, settings, token, now))
    c.set('authentication', ANONYMOUS)
  }
}

async function setAuthentication(c: Context<AppEnv>, reading: Promise<Authentication>): Promise<void> {
  c.set('authentication', await reading)
}

/** Most reads have no token and need none, so the error is made when it is thrown. */
const ANONYMOUS: Authentication = {
  get refusal() {
    return tokenMissing()
  },
}

async function readHeader(settings: TokenSettings, header: string, now: number): Promise<Authentication> {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1]
  return token === undefined ? { refusal: headerMalformed() } : readToken(settings, token, now)
}

/** A browser sends the cookie with requests of any page, so one that is not safe must prove that it comes from a site of ours. */
async function readCookie(
  c: Context<AppEnv>,
  settings: SignInSettings,
  token: string,
  now: number,
): Promise<Authentication> {
  // A browser keeps what it is sent under the address alone, so no answer is shared with other callers.
  c.set('dependsOnMore', true)
  const authentication = await readToken(settings, token, now)
  if ('refusal' in authentication) return authentication
  const refusal = findForgery(c, settings, authentication.session)
  return refusal ? { refusal } : { ...authentication, isByCookie: true }
}

async function readToken(settings: TokenSettings, token: string, now: number) {
  try {
    return { session: await verifyToken(settings, token, now) }
  } catch (error) {
    if (error instanceof CodedError) return { refusal: error }
    throw error
  }
}

/**
 * A session that its wallet ended counts as none. While the database does not answer, no session is accepted: then a guarded
 * route is refused with that error, and a public one is answered as without a token.
 */
export function refuseRevoked(store: Store): Step {
  return (c) => {
    const authentication = c.get('authentication')
    if ('session' in authentication && c.get('rules').limit !== 'none')
      return endRevoked(c, store, authentication.session)
  }
}

async function endRevoked(c: Context<AppEnv>, store: Store, session: Session): Promise<void> {
  const refusal = await readRevocation(store, session)
  if (refusal) c.set('authentication', { refusal })
}

async function readRevocation(store: Store, session: Session): Promise<CodedError | undefined> {
  try {
    return (await isRevoked(store, session)) ? tokenRevoked() : undefined
  } catch (error) {
    return toCodedError(error)
  }
}

/** Refuses requests without a valid token to routes that require one (interface specification, section 5.5). */
export const guard: Step = (c) => {
  const isPublic = c.get('rules').access === 'public'
  if (!isPublic) requireSession(c)
  // The answer of a public route without `Cache-Control` can depend on the caller, as GraphQL's `viewer` does.
  if ('session' in c.get('authentication')) c.get('headers')['Cache-Control'] = 'no-store'
  // A shared cache keeps no answer to an `Authorization` header (RFC 9111, section 3.5), but knows nothing of cookies.
  if (!isPublic || hasCookieSession(c)) c.set('isPersonal', true)
}

/** The caller's session. @throws `UNAUTHENTICATED` */
export function requireSession(c: Context<AppEnv>): Session {
  const authentication = c.get('authentication')
  if ('refusal' in authentication) throw authentication.refusal
  return authentication.session
}

function tokenMissing(): CodedError {
  return unauthenticated(
    'TOKEN_MISSING',
    'Send "Authorization: Bearer <token>". POST /api/v1/auth/verify gives a wallet its token.',
  )
}

function tokenRevoked(): CodedError {
  return unauthenticated('TOKEN_REVOKED', 'The session was ended by a logout. Sign in again.')
}

function headerMalformed(): CodedError {
  return unauthenticated('TOKEN_INVALID', 'The Authorization header must read "Bearer <token>".')
}
