/** Plain requests of GraphQL over HTTP: a query as JSON or in the URL, and an answer that may be JSON. */
import type { Context } from 'hono'
import type { AppEnv } from '../middleware/env.ts'

export type PlainRequest = {
  readonly query: string
  readonly operationName: string | null | undefined
  readonly variables: { readonly [name: string]: unknown } | undefined
}

export type MediaType = 'application/json' | 'application/graphql-response+json'

/** The media type of the answer, by the first range of `Accept`; undefined where that is neither of the two, or the body is not JSON. */
export function readMediaType(c: Context<AppEnv>): MediaType | undefined {
  if (c.req.method !== 'GET' && !(c.req.method === 'POST' && isJson(c.req.header('Content-Type'))))
    return undefined
  const accept = c.req.header('Accept') ?? '*/*'
  const first = accept.split(',', 1)[0]?.trim() ?? ''
  return MEDIA_TYPES.get(first)
}

const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
])

const isJson = (type: string | undefined) =>
  type !== undefined && (type === 'application/json' || type.startsWith('application/json;'))

/** @param body the body of a POST; the parameters of a GET are in its URL */
export function readPlainRequest(c: Context<AppEnv>, body: string | undefined): PlainRequest | undefined {
  const value = body === undefined ? parametersOf(c) : parseJson(body)
  if (!isRecord(value) || Object.keys(value).some((name) => !NAMES.has(name))) return undefined
  const { query, operationName, variables } = value
  if (typeof query !== 'string' || query === '') return undefined
  if (operationName != null && typeof operationName !== 'string') return undefined
  if (variables != null && !isRecord(variables)) return undefined
  return { query, operationName, variables: variables ?? undefined }
}

const NAMES: ReadonlySet<string> = new Set(['query', 'operationName', 'variables'])

function parametersOf(c: Context<AppEnv>): unknown {
  const { variables, ...others } = c.req.query()
  return { ...others, ...(variables !== undefined && { variables: parseJson(variables) ?? NO_RECORD }) }
}

/** Variables that are no JSON: Yoga refuses them. */
const NO_RECORD = 'not JSON'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
