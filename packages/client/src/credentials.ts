/** How a request proves its session: by a token, or by a cookie that no script of the page can read. */
import type { Session, Sessions } from './session.ts'
import type { Send } from './transport.ts'

export type Credentials = {
  /** Whether the gateway sets its cookie at the sign-in. */
  inCookie: boolean
  /** Sends requests with the cookie, if the session is in one. */
  withCookie: (send: Send) => Send
  /** Sends requests without it: by default, a browser also sends the cookie of a former session. */
  withoutCookie: (send: Send) => Send
  /** The headers with which a request of this method is one of the session. */
  headersOf: (session: Session, method: string) => Record<string, string>
}

export const bearerToken: Credentials = {
  inCookie: false,
  withCookie: (send) => send,
  withoutCookie: (send) => send,
  headersOf: ({ token }) => ({ Authorization: `Bearer ${token}` }),
}

/**
 * @param cookie true in a browser, which sends its cookies itself; on the server of a site, the header `Cookie` of its
 *   visitor
 * @param site origin that a server names in place of a browser
 */
export function cookie(cookie: true | string, site: string): Credentials {
  const headersOf = ({ token }: Session, method: string): Record<string, string> =>
    method === 'GET' ? {} : { 'X-CSRF-Token': token }
  const sending = (credentials: 'include' | 'omit') => (send: Send) => (request: Request) =>
    send(new Request(request, { credentials }))
  if (cookie === true)
    return { inCookie: true, withCookie: sending('include'), withoutCookie: sending('omit'), headersOf }
  const withCookie = (send: Send) => (request: Request) => {
    request.headers.set('Cookie', cookie)
    request.headers.set('Origin', site)
    return send(request)
  }
  return { inCookie: true, withCookie, withoutCookie: (send) => send, headersOf }
}

/** As `send`, as the signed-in wallet; without a session, as anyone. */
export function withSession(
  send: Send,
  sessions: Pick<Sessions, 'current' | 'drop'>,
  { withCookie, withoutCookie, headersOf }: Credentials,
): Send {
  const asWallet = withCookie(send)
  const asAnyone = withoutCookie(send)
  return async (request) => {
    const session = await sessions.current()
    if (!session) return asAnyone(request)
    for (const [name, value] of Object.entries(headersOf(session, request.method)))
      request.headers.set(name, value)
    const response = await asWallet(request)
    // The gateway's answer takes precedence over this machine's clock, but only for this token.
    if (await isOver(response)) sessions.drop(session.token)
    return response
  }
}

/** Whether the session has ended, or the cookie holds a newer one. */
async function isOver(response: Response): Promise<boolean> {
  if (response.status !== 403) return response.status === 401
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Reflect.get(Object(problem), 'code') === 'CSRF_TOKEN_INVALID'
}
