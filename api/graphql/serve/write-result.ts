/** Results of operations as responses: JSON, or events (GraphQL over SSE). */
import type { GraphQLError } from 'graphql'
import { getSSEProcessor, mapAsyncIterator } from 'graphql-yoga'
import type { Context } from 'hono'
import { toCodedError } from '../../errors.ts'
import { tagOf } from '../../http/conditional.ts'
import type { AppEnv } from '../../http/env.ts'
import { isGivenUp } from '../../http/problem.ts'
import { maskError } from '../kit/errors.ts'
import { type Answer, type Failure, isAnswer } from './answer.ts'
import { EVENTS, GRAPHQL_JSON, type MediaType } from './request.ts'
import type { Events } from './subscriptions.ts'

/** nginx holds events until its buffer is full, unless a header forbids it. */
const EVENT_HEADERS = { 'Content-Type': EVENTS, 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' }

/** @param isTagged whether a cache may ask if its copy is still the answer */
export function presentAnswer(answer: Answer, mediaType: MediaType, isTagged: boolean) {
  const text = textOf(answer)
  const headers = headersOf(mediaType)
  if (!isTagged || mediaType === EVENTS) return { text: inForm(text, mediaType), headers }
  // Each media type has a tag of its own, although the text is equal.
  const tag = tagOf(`${mediaType} ${text}`)
  // An answer that reads nothing is compressed: each encoding has other bytes, which only a weak tag allows.
  const ETag = answer.state ? tag : `W/${tag}`
  return { text, headers: { ...headers, 'Cache-Control': 'no-cache', ETag } }
}

/**
 * Writes a failure with the status of GraphQL over HTTP: an operation that is refused is a 200 for clients of
 * `application/json`. Load balancers and clients that retry need the status of a rate limit and of an outage.
 */
export function writeFailure(c: Context<AppEnv>, failure: Failure, mediaType: MediaType): Response {
  const { retryAfter = 1, status } = toCodedError(failure.errors[0]?.originalError)
  const text = inForm(textOf(withRequestId(c, failure)), mediaType)
  const headers = headersOf(mediaType)
  if (status === 429 || status === 503)
    return c.body(text, status, { ...headers, 'Retry-After': String(retryAfter) })
  const isHidden = failure.data === null || (status === 400 && mediaType !== GRAPHQL_JSON)
  return c.body(text, isHidden ? 200 : status, headers)
}

/** Writes the events of a subscription as they occur. */
export async function writeEvents(c: Context<AppEnv>, events: Events): Promise<Response> {
  const results = mapAsyncIterator(events, (event) => {
    const text = textOf(isAnswer(event) ? event : withRequestId(c, event))
    return { stringify: () => text }
  })
  const { body } = await getSSEProcessor()(results, globalThis, EVENTS)
  return new Response(body, { headers: EVENT_HEADERS })
}

function headersOf(mediaType: MediaType): Record<string, string> {
  return mediaType === EVENTS ? EVENT_HEADERS : { 'Content-Type': `${mediaType}; charset=utf-8` }
}

/** A result that is one event has the form of a subscription that is complete. */
function inForm(text: string, mediaType: MediaType): string {
  return mediaType === EVENTS ? `:\n\nevent: next\ndata: ${text}\n\nevent: complete\ndata:\n\n` : text
}

function textOf(result: Answer | Failure): string {
  if (!isAnswer(result)) return JSON.stringify(result)
  return `{"data":${result.data},"extensions":${JSON.stringify(result.extensions)}}`
}

/** Copies the errors, which requests with one document share, with the id of the request. */
function withRequestId(c: Context<AppEnv>, failure: Failure): Failure {
  const errors = failure.errors.map((error) => maskError(error))
  for (const error of errors) {
    error.extensions.requestId = c.get('requestId')
    report(c, error)
  }
  return { ...failure, errors }
}

/** Counts the error, and logs a bug. An error that a client caused by leaving is neither counted nor logged. */
function report(c: Context<AppEnv>, { originalError, path }: GraphQLError): void {
  const { cause, code, message } = toCodedError(originalError)
  const isBug = code === 'INTERNAL'
  if (isBug && isGivenUp(cause, c)) return
  c.get('metrics')?.failed(code)
  if (isBug) c.get('log')().error({ err: cause, path }, message)
}
