/** How requests leave: with the session's token where there is one, and with one kind of error when nothing answers. */
import { GatewayError } from './errors.ts'
import { pageOrigin } from './page.ts'

export type Send = (request: Request) => Promise<Response>

/** An aborted request throws the reason of its signal. @param fetch the platform's `fetch`, or a replacement */
export function createSend(fetch: Send): Send {
  // Node passes an abort on only while the request exists, which nothing else refers to once the answer began.
  const requests = new WeakMap<ReadableStream, Request>()
  return async (request) => {
    try {
      const response = await fetch(request)
      if (response.body) requests.set(response.body, request)
      return response
    } catch (cause) {
      if (request.signal.aborted) throw cause
      throw new GatewayError({ code: 'UNREACHABLE', message: unanswered(request.url), cause })
    }
  }
}

/** A browser does not state whether the answer was missing or is not for this page. */
function unanswered(url: string): string {
  const page = pageOrigin()
  if (page === undefined || page === new URL(url).origin) return `${url} does not answer.`
  return `${url} does not answer, or does not allow pages of ${page} (\`CORS_ORIGINS\` of the gateway).`
}

/**
 * A `fetch` for other libraries, such as urql or Apollo. Requests to the gateway carry the token of the session;
 * requests to any other origin do not.
 */
export function toFetch(origin: string, send: Send, bareSend: Send): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).origin === origin ? send(request) : bareSend(request)
  }
}
