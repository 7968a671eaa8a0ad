import type { Context } from 'hono'
import type { AuthenticationVariables } from './authentication.ts'
import { defineMiddleware, type EnvWith } from './define-middleware.ts'
import type { RouteVariables } from './route-rules.ts'
import { hasCookieSession } from './session-cookie.ts'

/**
 * Sets `Cache-Control: no-store` on an answer that states nothing else, and on any answer that is for its caller alone.
 * A shared cache keeps no answer to an `Authorization` header (RFC 9111, section 3.5), but knows nothing of cookies.
 *
 * @example
 * startChain().use(routeRules(rules)).use(authenticate(settings, cookies, Date.now)).use(cacheControl())
 */
export const cacheControl = () =>
  defineMiddleware<object, RouteVariables & AuthenticationVariables>(async (c, next) => {
    await next()
    if (isPersonal(c) || !c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store')
  })

/** Whether the answer is for its caller alone: a browser keeps an answer to a cookie under the address alone. */
export function isPersonal<E extends EnvWith<RouteVariables & AuthenticationVariables>>(
  c: Context<E>,
): boolean {
  return c.get('rules').access !== 'public' || hasCookieSession(c)
}
