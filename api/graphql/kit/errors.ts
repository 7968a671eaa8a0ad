/** The one catalogue's errors as GraphQL errors: coded ones as they are, everything unexpected masked. */
import { PothosError } from '@pothos/core'
import { GraphQLError } from 'graphql'
import {
  CodedError,
  catalogue,
  type ErrorCode,
  shorten,
  toCodedError,
  toGraphqlExtensions,
} from '../../errors.ts'

/**
 * Yoga's word for the HTTP answer; `spec` leaves the status to GraphQL over HTTP where the client accepts only plain
 * JSON.
 */
type Http = { status: number; spec?: boolean; headers?: Record<string, string> }

/** Masks errors; Yoga calls it for each failure. The request id is added when the answer is written. */
export function maskError(error: unknown): GraphQLError {
  const located = error instanceof GraphQLError ? error : undefined
  const cause = originOf(error)
  const coded = cause === undefined && located ? refusal(located) : toCodedError(cause)
  return toGraphqlError(coded, httpOf(located) ?? comeBackHttp(coded), located)
}

/** Makes a coded error with its GraphQL extensions, at the place of the query where it happened. */
export function toGraphqlError(coded: CodedError, http?: Http, at?: GraphQLError): GraphQLError {
  return new GraphQLError(coded.message, {
    ...(at?.nodes && { nodes: at.nodes }),
    ...(at?.source && { source: at.source }),
    ...(at?.positions && { positions: at.positions }),
    ...(at?.path && { path: at.path }),
    originalError: coded,
    extensions: { ...toGraphqlExtensions(coded, ''), ...(http && { http }) },
  })
}

/** Extensions of an error that refuses an operation before it runs. */
export function refuse(error: unknown): GraphQLError {
  const masked = maskError(error)
  if (masked.originalError instanceof CodedError && masked.originalError.status !== 400) return masked
  return toGraphqlError(toCodedError(masked.originalError), REFUSED, masked)
}

/** Makes an error of a document, which GraphQL found when it read it, as Yoga labels it. */
export function refuseDocument(error: unknown, code: ErrorCode): GraphQLError {
  if (!(error instanceof GraphQLError)) return refuse(error)
  Object.assign(error.extensions, { code, http: REFUSED, ...error.extensions })
  return error
}

/** Options of the error of a request that is refused before execution. */
export const REFUSED: Http = { status: 400, spec: true }

/** The error behind GraphQL's wrappers; undefined where GraphQL itself refused the request. */
function originOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error
  if (error.originalError) return originOf(error.originalError)
  // While a query runs, only Pothos refuses in GraphQL's own name: anything else there is a value we should not have
  // given.
  return error.path && !(error instanceof PothosError) ? error : undefined
}

/**
 * A request that GraphQL refused, under the catalogue's code. Its message is GraphQL's: it names the field and what was
 * expected. Some messages quote the request, which can be large.
 */
function refusal(error: GraphQLError): CodedError {
  const { code } = error.extensions
  return new CodedError(
    isErrorCode(code) ? code : codeOfStatus(httpOf(error)?.status),
    shorten(error.message),
  )
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(catalogue, code)
}

function codeOfStatus(status: number | undefined): ErrorCode {
  if (status === 405) return 'METHOD_NOT_ALLOWED'
  if (status === 413) return 'PAYLOAD_TOO_LARGE'
  if (status === 415) return 'UNSUPPORTED_MEDIA_TYPE'
  return 'VALIDATION_FAILED'
}

function httpOf(error: GraphQLError | undefined): Http | undefined {
  const http = error?.extensions.http
  if (typeof http !== 'object' || http === null) return undefined
  if (!('status' in http) || typeof http.status !== 'number') return undefined
  // A body that holds no GraphQL request is a bad request to every client, also to those that accept only plain JSON.
  const spec = error?.extensions.code !== 'BAD_REQUEST' && 'spec' in http && http.spec === true
  return { ...http, status: http.status, spec }
}

/** Sets the HTTP status and Retry-After of rate limits and outages, for load balancers and clients that retry. */
function comeBackHttp(coded: CodedError): Http | undefined {
  if (coded.status !== 429 && coded.status !== 503) return undefined
  return { status: coded.status, headers: { 'Retry-After': String(coded.retryAfter ?? 1) } }
}
