/** Requests of GraphQL over HTTP whose answer is JSON: an operation as JSON in the body, or in the URL. */
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { CodedError, type FieldError, validationFailed } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'
import { requireVariableShape } from '../operation/measure/measure.ts'

export type GraphqlRequest = {
  readonly query: string
  readonly operationName: string | null | undefined
  readonly variables: { readonly [name: string]: unknown } | undefined
}

export type JsonType = 'application/json' | 'application/graphql-response+json'
type MediaType = JsonType | 'text/event-stream' | 'text/html'

const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['text/event-stream', 'text/event-stream'],
  ['text/html', 'text/html'],
])

/**
 * Returns the media type of the answer that the client prefers. @throws CodedError `VALIDATION_FAILED` where it accepts
 * none
 */
export function readMediaType(accept = '*/*'): MediaType {
  const [first] = parseAccept(accept).flatMap(({ type }) => MEDIA_TYPES.get(type) ?? [])
  if (first) return first
  const message = 'must allow application/json, application/graphql-response+json or text/event-stream'
  throw validationFailed([{ path: 'Accept', message }])
}

/**
 * @param body of a POST, as text; the parameters of a GET are in its URL
 * @throws CodedError `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_FAILED`
 */
export function readRequest(c: Context<AppEnv>, body: string | undefined): GraphqlRequest {
  if (body !== undefined) requireJsonType(c.req.header('Content-Type'))
  const given = body === undefined ? parametersOf(c) : parseJson(body, '')
  if (!isRecord(given)) throw validationFailed([{ path: '', message: 'must be a JSON object with a query' }])
  const { query, operationName, variables, extensions, ...others } = given
  const faults: FieldError[] = Object.keys(others).map((path) => ({
    path,
    message: 'is no member of a request',
  }))
  if (!isText(query)) faults.push({ path: 'query', message: 'must be the text of a document' })
  if (operationName != null && typeof operationName !== 'string')
    faults.push({ path: 'operationName', message: 'must be a text' })
  if (variables != null && !isRecord(variables)) faults.push({ path: 'variables', message: OBJECT })
  if (extensions != null && !isRecord(extensions)) faults.push({ path: 'extensions', message: OBJECT })
  if (faults.length > 0 || !isText(query)) throw validationFailed(faults)
  requireVariableShape(variables)
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: isRecord(variables) ? variables : undefined,
  }
}

const OBJECT = 'must be a JSON object'

function requireJsonType(type: string | undefined): void {
  if (type && /^application\/json *(;|$)/i.test(type)) return
  throw new CodedError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
}

function parametersOf(c: Context<AppEnv>): unknown {
  const { variables, extensions, ...others } = c.req.query()
  return {
    ...others,
    ...(variables !== undefined && { variables: parseJson(variables, 'variables') }),
    ...(extensions !== undefined && { extensions: parseJson(extensions, 'extensions') }),
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw validationFailed([{ path, message: 'must be JSON' }])
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
