import type { Context } from 'hono'
import type { SignInSettings } from '../auth/sign-in.ts'
import { type Session, type TokenSettings, unauthenticated, verifyToken } from '../auth/token.ts'
import type { Clock } from '../deps.ts'
import { CodedError, toCodedError } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { isRevoked } from '../store/revoked-tokens.ts'
import type { Authentication, AuthenticationVariables } from './authentication.ts'
import { findForgery } from './csrf.ts'
import { defineMiddleware, type EnvWith } from './define-middleware.ts'
import type { RouteVariables } from './route-rules.ts'
import { type CookieSettings, readSessionCookie } from './session-cookie.ts'

/**
 * Authenticates the token of the `Authorization` header, or without that header, of the session cookie. The guard
 * refuses invalid ones, so that a public read with an expired token is answered.
 *
 * @example
 * startChain().use(authenticate(settings, { sessionCookies: false, nodeEnv: 'production' }, Date.now))
 */
export function authenticate(settings: SignInSettings, cookies: CookieSettings, clock: Clock) {
  return defineMiddleware<AuthenticationVariables>(async (c, next) => {
    const now = Math.floor(clock() / 1000)
    const header = c.req.header('Authorization')
    if (header !== undefined) return next({ authentication: await readHeader(settings, header, now) })
    const token = readSessionCookie(c, cookies)
    if (token === undefined) return next({ authentication: { isAnonymous: true } })
    await next({ authentication: await readCookie(c, settings, token, now) })
  })
}

async function readHeader(settings: TokenSettings, header: string, now: number): Promise<Authentication> {
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1]
  return token === undefined ? { refusal: headerMalformed() } : readToken(settings, token, now)
}

/**
 * A browser sends the cookie with requests of any page, so one that is not safe must prove that it comes from a site of
 * ours.
 */
async function readCookie(
  c: Context,
  settings: SignInSettings,
  token: string,
  now: number,
): Promise<Authentication> {
  const authentication = await readToken(settings, token, now)
  if (!('session' in authentication)) return authentication
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
 * A session that its wallet ended counts as none. While the database does not answer, no session is accepted: then a
 * guarded route is refused with that error, and a public one is answered as without a token.
 *
 * @example
 * startChain().use(routeRules(rules)).use(authenticate(settings, cookies, Date.now)).use(refuseRevoked(store))
 */
export function refuseRevoked(store: Store) {
  return defineMiddleware<object, RouteVariables & AuthenticationVariables>(async (c, next) => {
    const authentication = c.get('authentication')
    const isChecked = 'session' in authentication && c.get('rules').limit !== 'none'
    const refusal = isChecked ? await readRevocation(store, authentication.session) : undefined
    if (refusal) c.set('authentication', { refusal })
    await next()
  })
}

async function readRevocation(store: Store, session: Session): Promise<CodedError | undefined> {
  try {
    return (await isRevoked(store, session)) ? tokenRevoked() : undefined
  } catch (error) {
    return toCodedError(error)
  }
}

/**
 * Refuses requests without a valid token to routes that require one (interface specification, section 5.5).
 *
 * @example
 * startChain().use(routeRules(rules)).use(authenticate(settings, cookies, Date.now)).use(guard())
 */
export const guard = () =>
  defineMiddleware<object, RouteVariables & AuthenticationVariables>(async (c, next) => {
    if (c.get('rules').access !== 'public') requireSession(c)
    await next()
  })

/** Returns the caller's session. @throws `UNAUTHENTICATED` */
export function requireSession<E extends EnvWith<AuthenticationVariables>>(c: Context<E>): Session {
  const authentication = c.get('authentication')
  if ('session' in authentication) return authentication.session
  throw 'refusal' in authentication ? authentication.refusal : tokenMissing()
}

/** Returns the caller's session; undefined without a valid token. */
export function findSession<E extends EnvWith<AuthenticationVariables>>(c: Context<E>): Session | undefined {
  const authentication = c.get('authentication')
  return 'session' in authentication ? authentication.session : undefined
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
