/**
 * Headers of every answer. They are collected before it is made: to set one on a finished answer makes objects of the platform, which take
 * longer than a small answer itself.
 */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AnswerHeaders, AppEnv } from './env.ts'
import type { Finish, Step } from './steps.ts'

/** Begins the headers of the answer with `common` and the request's id. */
export const beginHeaders =
  (common: Readonly<AnswerHeaders>): Step =>
  (c) => {
    c.set('headers', { ...common, 'X-Request-Id': c.get('requestId') })
  }

/** Sets the headers that a finished answer lacks. */
export const completeHeaders: Finish = (c) => {
  if (c.get('isPersonal')) c.res.headers.set('Cache-Control', 'no-store')
  if (c.res === c.get('sent')) return
  const { headers } = c.res
  for (const [name, value] of Object.entries(c.get('headers')))
    if (!headers.has(name)) headers.set(name, value)
}

/** Makes an answer with all of its headers. @param own headers of this answer; they replace those that were collected */
export function send(
  c: Context<AppEnv>,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: ContentfulStatusCode | 304,
  own: Readonly<AnswerHeaders>,
): Response {
  const response = new Response(body, { status, headers: { ...c.get('headers'), ...own } })
  c.set('sent', response)
  return response
}

/** The same for JSON, of the type that the description of its route requires. */
export function sendJson<Body>(c: Context<AppEnv>, body: Body, own: Readonly<AnswerHeaders>) {
  const response = send(c, JSON.stringify(body), 200, { 'Content-Type': 'application/json', ...own })
  return describedAs(response, body)
}

/** Adds the properties by which the framework knows the type of an answer; nothing reads them. */
export function describedAs<Body>(response: Response, body: Body) {
  return Object.assign(response, { _data: body, _status: 200 as const, _format: 'json' as const })
}
