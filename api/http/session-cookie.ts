/**
 * The session as a cookie, for pages that a server renders (RFC 6265bis): no script of a page can read it. Browsers
 * send it to the host that set it, with requests of pages of the same site and, for GET, with links from any page.
 */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Config } from '../config/config.ts'
import type { AuthenticationVariables } from './authentication.ts'
import type { EnvWith } from './define-middleware.ts'

export type CookieSettings = Pick<Config, 'sessionCookies' | 'nodeEnv'>

const NAME = 'session'

/** Returns the cookie as browsers list it; undefined where the gateway sets none. */
export function sessionCookieName(settings: CookieSettings): string | undefined {
  if (!settings.sessionCookies) return undefined
  return prefixOf(settings) === 'host' ? `__Host-${NAME}` : NAME
}

/** Reads the token of the cookie; none if the gateway sets no cookies. */
export function readSessionCookie(c: Context, settings: CookieSettings): string | undefined {
  if (!settings.sessionCookies) return undefined
  // An empty cookie is what remains of a deleted one.
  return getCookie(c, NAME, prefixOf(settings)) || undefined
}

/** @param maxAge seconds */
export function setSessionCookie(c: Context, settings: CookieSettings, token: string, maxAge: number): void {
  setCookie(c, NAME, token, { ...attributesOf(settings), maxAge })
}

export function deleteSessionCookie(c: Context, settings: CookieSettings): void {
  deleteCookie(c, NAME, attributesOf(settings))
}

/** Whether the caller's session is that of the cookie. */
export function hasCookieSession<E extends EnvWith<AuthenticationVariables>>(c: Context<E>): boolean {
  const authentication = c.get('authentication')
  return 'session' in authentication && authentication.isByCookie === true
}

/**
 * `__Host-`: no other host and no page over http can have set the cookie. It requires `Secure`, which http://localhost
 * has not in every browser.
 */
function prefixOf({ nodeEnv }: CookieSettings): 'host' | undefined {
  return nodeEnv === 'development' ? undefined : 'host'
}

function attributesOf(settings: CookieSettings) {
  const prefix = prefixOf(settings)
  return { path: '/', httpOnly: true, sameSite: 'Lax', ...(prefix && { prefix, secure: true }) } as const
}
