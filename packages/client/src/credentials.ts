/** How a request proves its session: by a token, or by a cookie that no script of the page can read. */
import type { Session } from './session.ts'
import type { Send } from './transport.ts'

export type Credentials = {
  /** Whether the gateway sets its cookie at the sign-in. */
  inCookie: boolean
  /** Sends a request with the cookie, if the session is in one. */
  wrap: (send: Send) => Send
  /** The headers with which a request of this method is one of the session. */
  headersOf: (session: Session, method: string) => Record<string, string>
}

export const bearerToken: Credentials = {
  inCookie: false,
  wrap: (send) => send,
  headersOf: ({ token }) => ({ Authorization: `Bearer ${token}` }),
}

/**
 * @param cookie true in a browser, which sends its cookies itself; on the server of a site, the header `Cookie` of its
 *   visitor
 * @param site origin that a server names in place of a browser
 */
export function cookie(cookie: true | string, site: string): Credentials {
  return {
    inCookie: true,
    wrap: (send) => (request) => {
      if (cookie === true) return send(new Request(request, { credentials: 'include' }))
      request.headers.set('Cookie', cookie)
      request.headers.set('Origin', site)
      return send(request)
    },
    headersOf: ({ token }, method) => (method === 'GET' ? {} : { 'X-CSRF-Token': token }),
  }
}
