import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Session, type TokenSettings, unauthenticated, verifyToken } from '../auth/token.ts'
import type { Clock } from '../deps.ts'
import { CodedError, toCodedError } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { isRevoked } from '../store/revoked-tokens.ts'
import type { AppEnv, Authentication } from './env.ts'

/** Authenticates the token. The guard refuses invalid ones, so that a public read with an expired token is answered. */
export const authenticate = (settings: TokenSettings, clock: Clock) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const now = Math.floor(clock() / 1000)
    c.set('authentication', await readAuthentication(settings, c.req.header('Authorization'), now))
    await next()
  })

/** Most reads have no token and need none, so the error is made when it is thrown. */
const ANONYMOUS: Authentication = {
  get refusal() {
    return tokenMissing()
  },
}

async function readAuthentication(
  settings: TokenSettings,
  header: string | undefined,
  now: number,
): Promise<Authentication> {
  if (header === undefined) return ANONYMOUS
  const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1]
  if (token === undefined) return { refusal: headerMalformed() }
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
export const refuseRevoked = (store: Store) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const authentication = c.get('authentication')
    if ('session' in authentication && c.get('rules').limit !== 'none') {
      const refusal = await readRevocation(store, authentication.session)
      if (refusal) c.set('authentication', { refusal })
    }
    await next()
  })

async function readRevocation(store: Store, session: Session): Promise<CodedError | undefined> {
  try {
    return (await isRevoked(store, session)) ? tokenRevoked() : undefined
  } catch (error) {
    return toCodedError(error)
  }
}

/** Refuses requests without a valid token to routes that require one (interface specification, section 5.5). */
export const guard = () =>
  createMiddleware<AppEnv>(async (c, next) => {
    const isPublic = c.get('rules').access === 'public'
    if (!isPublic) requireSession(c)
    await next()
    if (!isPublic || mayBePersonal(c)) c.res.headers.set('Cache-Control', 'no-store')
  })

/** The answer of a public route without `Cache-Control` can depend on the caller, as GraphQL's `viewer` does. */
function mayBePersonal(c: Context<AppEnv>): boolean {
  return 'session' in c.get('authentication') && !c.res.headers.has('Cache-Control')
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
