import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { CodedError, shorten, toCodedError, toGraphqlExtensions, toProblem } from '../errors.ts'
import type { EnvWith } from './define-middleware.ts'
import type { LogVariables } from './log.ts'
import type { RequestIdVariables } from './request-id.ts'

type Reported = EnvWith<RequestIdVariables & LogVariables>

/**
 * Writes anything thrown as problem+json (RFC 9457). A bug is logged with its stack; the caller gets the request id.
 */
export function onError<E extends Reported>(thrown: Error, c: Context<E>): Response {
  return problem(c, codedAndLogged(thrown, c))
}

/** Answers an error in the form of GraphQL, for refusals before GraphQL: a limit, a body that is too large. */
export function onGraphqlError<E extends Reported>(thrown: Error, c: Context<E>): Response {
  const error = codedAndLogged(thrown, c)
  const extensions = toGraphqlExtensions(error, c.get('requestId'))
  const body = JSON.stringify({ errors: [{ message: error.message, extensions }] })
  const graphqlJson = 'application/graphql-response+json'
  const contentType = c.req.header('Accept')?.includes(graphqlJson) ? graphqlJson : 'application/json'
  return c.body(body, error.status, {
    ...errorHeaders(error),
    'Content-Type': `${contentType}; charset=utf-8`,
  })
}

/** SQLSTATE of a statement that was cancelled. */
const QUERY_CANCELED = '57014'

/** Whether this was thrown because the client left before it was answered: that is no failure. */
export function isGivenUp(thrown: unknown, c: Context): boolean {
  const { signal } = c.req.raw
  if (!signal.aborted) return false
  const origin = thrown instanceof CodedError ? thrown.cause : thrown
  if (origin === signal.reason) return true
  if (!(origin instanceof Error)) return false
  if ('code' in origin && origin.code === QUERY_CANCELED) return true
  // GraphQL wraps what is no error, as the reason of the signal is.
  return isAbort(origin) || ('thrownValue' in origin && origin.thrownValue === signal.reason)
}

/** Node reports an aborted upload as a reset connection, as the driver does for a lost connection of the database. */
function isAbort(error: Error): boolean {
  const isUpload = error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  return error.name === 'AbortError' || isUpload
}

function codedAndLogged<E extends Reported>(thrown: unknown, c: Context<E>): CodedError {
  const error = thrown instanceof HTTPException ? fromHttpException(thrown) : toCodedError(thrown)
  if (isGivenUp(thrown, c)) return error
  c.get('metrics')?.failed(error.code)
  if (error.status === 500) c.get('log')().error({ err: error.cause }, 'request failed')
  if (error.status === 503 && !isOfMinBlock(error))
    c.get('log')().warn({ code: error.code, err: error.cause }, error.message)
  return error
}

/** Whether the block of `X-Min-Block` is not there yet: any client can name any block. */
const isOfMinBlock = ({ facts }: CodedError): boolean => facts.minBlock !== undefined

export function onNotFound<E extends Reported>(c: Context<E>): Response {
  // In the URL, control characters are percent-encoded.
  const path = shorten(new URL(c.req.url).pathname)
  const detail = `No route has the path ${path}. Compare it with /api/v1/openapi.json.`
  return problem(c, new CodedError('NOT_FOUND', detail))
}

/** @param methods those the path answers */
export function onMethodNotAllowed<E extends Reported>(c: Context<E>, methods: readonly string[]): Response {
  const allow = methods.join(', ')
  const error = new CodedError(
    'METHOD_NOT_ALLOWED',
    `The method is ${c.req.method}; this path supports ${allow}.`,
  )
  return problem(c, error, { Allow: allow })
}

function problem<E extends Reported>(
  c: Context<E>,
  error: CodedError,
  headers: Record<string, string> = {},
): Response {
  return c.body(JSON.stringify(toProblem(error, c.get('requestId'))), error.status, {
    ...errorHeaders(error),
    'Content-Type': 'application/problem+json',
    ...headers,
  })
}

function errorHeaders(error: CodedError): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    ...(error.retryAfter !== undefined && { 'Retry-After': String(error.retryAfter) }),
    ...(error.status === 401 && { 'WWW-Authenticate': challenge(error) }),
  }
}

/** Reasons of an `UNAUTHENTICATED` request that sent a token. */
const BAD_TOKEN: ReadonlySet<string> = new Set(['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'])

/** RFC 6750, section 3: the answer has an error code only where the request had a token. */
function challenge({ facts: { reason } }: CodedError): string {
  return typeof reason === 'string' && BAD_TOKEN.has(reason) ? 'Bearer error="invalid_token"' : 'Bearer'
}

/** Maps errors of the framework. */
function fromHttpException(thrown: HTTPException): CodedError {
  if (thrown.status === 415) {
    return new CodedError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  }
  if (thrown.status === 400) {
    return new CodedError(
      'VALIDATION_FAILED',
      'The body is empty or not well-formed JSON. Send a JSON object.',
      { cause: thrown },
    )
  }
  return toCodedError(new Error(`unexpected ${thrown.status} of the framework`, { cause: thrown }))
}
