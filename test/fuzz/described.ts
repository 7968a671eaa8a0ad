/** The operations of the OpenAPI document, and GraphQL's, which describes itself. */
import { isObject, type Json, resolve } from '../support/hostile.ts'

export type Parameter = { place: 'path' | 'query' | 'header'; name: string; schema: Json; required: boolean }

export type Operation = {
  /** `GET /api/v1/claims/{claimId}` */
  name: string
  method: string
  path: string
  kind: 'rest' | 'graphql'
  parameters: readonly Parameter[]
  body: { schema: unknown; required: boolean } | undefined
  /** The schema of the JSON of each documented status; undefined where it has none. */
  answers: ReadonlyMap<number, unknown>
}

export function operationsOf(document: Json): Operation[] {
  const rest = entries(document.paths).flatMap(([path, methods]) =>
    entries(methods).map(([method, described]) =>
      operationOf(document, method.toUpperCase(), path, asObject(described)),
    ),
  )
  return [...rest, ...GRAPHQL]
}

function operationOf(document: Json, method: string, path: string, described: Json): Operation {
  const { parameters, requestBody, responses } = described
  const listed = Array.isArray(parameters) ? parameters.map((entry) => resolve(entry, document)) : []
  const body = requestBody === undefined ? undefined : resolve(requestBody, document)
  return {
    name: `${method} ${path}`,
    method,
    path,
    kind: 'rest',
    parameters: listed.flatMap((parameter): Parameter[] => {
      const { in: place, name, required } = parameter
      if (place !== 'path' && place !== 'query' && place !== 'header') return []
      const schema = resolve(parameter.schema, document)
      return [{ place, name: String(name), schema, required: place === 'path' || required === true }]
    }),
    body: body && { schema: jsonSchema(body), required: body.required === true },
    answers: new Map(
      entries(responses).map(([status, answer]) => [Number(status), jsonSchema(resolve(answer, document))]),
    ),
  }
}

/** The schema of each header of an answer, by name. */
export function headersOf({ components }: Json): ReadonlyMap<string, Json> {
  return new Map(
    entries(asObject(components).headers).map(([name, header]) => [name, asObject(asObject(header).schema)]),
  )
}

/** Answers of GraphQL are checked by rules of their own, whatever the status. */
const GRAPHQL = ['GET', 'POST'].map(
  (method): Operation => ({
    name: `${method} /api/v1/graphql`,
    method,
    path: '/api/v1/graphql',
    kind: 'graphql',
    parameters: [],
    body: undefined,
    answers: new Map([[200, undefined]]),
  }),
)

function jsonSchema(holder: Json): unknown {
  return asObject(asObject(holder.content)['application/json']).schema
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(asObject(value))
}
