/** Requests of GraphQL over HTTP: an operation as JSON in the body, or in the URL. */
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { requireShape } from '../../domain/json-shape.ts'
import { VALUE_LENGTH_MAX } from '../../domain/limits.ts'
import { CodedError, type FieldError, validationFailed } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { unknownField } from '../../http/refuse-query.ts'

export type GraphqlRequest = {
  /** The text of a document, or the id of one that is registered. */
  readonly document: { readonly query: string } | { readonly documentId: string }
  readonly operationName: string | undefined
  readonly variables: { readonly [name: string]: unknown } | undefined
}

export const EVENTS = 'text/event-stream'
export const GRAPHQL_JSON = 'application/graphql-response+json'
const PLAIN_JSON = 'application/json'

/** Media type of a result. */
export type MediaType = typeof PLAIN_JSON | typeof GRAPHQL_JSON | typeof EVENTS

const JSON_RANGES: ReadonlyMap<string, typeof PLAIN_JSON | typeof GRAPHQL_JSON> = new Map([
  ['*/*', PLAIN_JSON],
  ['application/*', PLAIN_JSON],
  [PLAIN_JSON, PLAIN_JSON],
  [GRAPHQL_JSON, GRAPHQL_JSON],
])
const EVENT_RANGES: ReadonlySet<string> = new Set(['*/*', 'text/*', EVENTS])

/** Whether the client is a browser that opens a page. */
export function prefersPage(accept: string | undefined): boolean {
  return typesOf(accept).find((type) => type === 'text/html' || JSON_RANGES.has(type)) === 'text/html'
}

/**
 * Returns the media type of a result, which is JSON if the client accepts it, and whether the client accepts the events
 * of a subscription. @throws CodedError `VALIDATION_FAILED` where it accepts neither
 */
export function readAccepted(accept: string | undefined): { mediaType: MediaType; acceptsEvents: boolean } {
  const types = typesOf(accept)
  const acceptsEvents = types.some((type) => EVENT_RANGES.has(type))
  const [json] = types.flatMap((type) => JSON_RANGES.get(type) ?? [])
  if (json !== undefined || acceptsEvents) return { mediaType: json ?? EVENTS, acceptsEvents }
  const message = 'must allow application/json, application/graphql-response+json or text/event-stream'
  throw validationFailed([{ path: 'Accept', message }])
}

/** The media ranges that the client accepts, its preferred one first. */
function typesOf(accept = '*/*'): string[] {
  return parseAccept(accept).flatMap(({ type, q }) => (q > 0 ? [type] : []))
}

/**
 * @param body of a POST, as text; the parameters of a GET are in its URL
 * @throws CodedError `VALIDATION_FAILED`
 */
export function readRequest(c: Context<AppEnv>, body: string | undefined): GraphqlRequest {
  const given = body === undefined ? parametersOf(c) : parseJson(body, noRequest)
  if (!isRecord(given)) throw noRequest()
  const { query, documentId, operationName, variables, extensions, ...others } = given
  const faults: FieldError[] = Object.keys(others).map(unknownField)
  const document = readDocument(query, documentId)
  if ('message' in document) faults.push(document)
  if (operationName != null && typeof operationName !== 'string')
    faults.push({ path: 'operationName', message: 'must be a text' })
  if (variables != null && !isRecord(variables)) faults.push({ path: 'variables', message: OBJECT })
  if (extensions != null && !isRecord(extensions)) faults.push({ path: 'extensions', message: OBJECT })
  if (faults.length > 0 || 'message' in document) throw validationFailed(faults)
  requireShape(variables, 'variables', VALUE_LENGTH_MAX)
  return {
    document,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: isRecord(variables) ? variables : undefined,
  }
}

const OBJECT = 'must be a JSON object'

function readDocument(query: unknown, documentId: unknown): GraphqlRequest['document'] | FieldError {
  if (documentId == null)
    return isText(query) ? { query } : { path: 'query', message: 'must be the text of a document' }
  if (query != null) return { path: 'documentId', message: 'must not be given with query' }
  return isText(documentId) ? { documentId } : { path: 'documentId', message: 'must be the id of a document' }
}

/** A page of another site can send other types without a preflight. @throws CodedError `UNSUPPORTED_MEDIA_TYPE` */
export function requireJsonType(type: string | undefined): void {
  if (type && /^application\/json *(;|$)/i.test(type)) return
  throw new CodedError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
}

function parametersOf(c: Context<AppEnv>): unknown {
  const { variables, extensions, ...others } = c.req.query()
  return {
    ...others,
    ...(variables !== undefined && { variables: parseParameter(variables, 'variables') }),
    ...(extensions !== undefined && { extensions: parseParameter(extensions, 'extensions') }),
  }
}

function noRequest(): CodedError {
  const message = 'The body is not a JSON object. Send a JSON object with a query.'
  return validationFailed([{ path: '', message }])
}

function parseParameter(text: string, path: string): unknown {
  return parseJson(text, () => validationFailed([{ path, message: 'must be JSON' }]))
}

function parseJson(text: string, toError: () => CodedError): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw toError()
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
