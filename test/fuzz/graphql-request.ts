/** GraphQL over HTTP: a generated document in a request that is well formed or not. */
import { below, type Draw, oneIn, pick } from './draw.ts'
import { type GraphqlSources, graphqlDocument, hostileDocument, type Written } from './graphql-document.ts'
import { encodeJson, hostileJson } from './hostile-json.ts'
import { type FuzzRequest, withHeader } from './request.ts'
import { percentEncoded } from './rest-request.ts'

const PATH = '/api/v1/graphql'
const ACCEPTED = [
  ...['application/json', 'application/graphql-response+json', 'text/event-stream', '*/*'],
  ...['application/graphql-response+json, application/json;q=0.9', 'text/html', 'application/xml', ''],
]
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8']
const OTHER_TYPES = [
  ...['application/graphql', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'],
  ...['text/plain', 'application/json; charset=utf-16', 'a', ''],
]

export function graphqlRequest(draw: Draw, sources: GraphqlSources, method: 'GET' | 'POST'): FuzzRequest {
  const isHostile = oneIn(draw, 2)
  const document =
    isHostile && oneIn(draw, 4) ? hostileDocument(draw) : graphqlDocument(draw, sources, isHostile)
  const accept = document.isSubscription ? 'text/event-stream' : pick(draw, ACCEPTED.slice(0, 2))
  const request = method === 'GET' ? getRequest(document) : postRequest(document)
  const accepting = withHeader(request, 'Accept', accept)
  return isHostile && oneIn(draw, 3)
    ? changed(draw, accepting, document)
    : { ...accepting, isChanged: isHostile }
}

function postRequest({ query, variables }: Pick<Written, 'query' | 'variables'>): FuzzRequest {
  const body = Buffer.from(encodeJson({ query, variables }))
  return {
    ...BARE,
    operation: `POST ${PATH}`,
    method: 'POST',
    body,
    headers: [['Content-Type', 'application/json']],
  }
}

/** Node refuses a longer target before the gateway sees it; that is tried elsewhere. */
const TARGET_MAX = 12_000

function getRequest({ query, variables }: Written): FuzzRequest {
  const target = `${PATH}?query=${percentEncoded(query)}&variables=${percentEncoded(encodeJson(variables))}`
  return { ...BARE, operation: `GET ${PATH}`, method: 'GET', target: target.slice(0, TARGET_MAX) }
}

const BARE = {
  kind: 'graphql',
  target: PATH,
  headers: [],
  body: undefined,
  isChanged: false,
  isRaw: false,
  mayGoUnanswered: false,
  isElsewhere: false,
} as const

function changed(draw: Draw, request: FuzzRequest, { query, variables }: Written): FuzzRequest {
  const parameters = { query, variables }
  const accepting = withHeader({ ...request, isChanged: true }, 'Accept', pick(draw, ACCEPTED))
  if (request.method === 'GET') {
    const name = pick(draw, ['operationName', 'extensions', 'variables', 'query', 'a'])
    return {
      ...accepting,
      target: `${request.target}&${name}=${percentEncoded(encodeJson(hostileJson(draw)))}`,
    }
  }
  const typed = withHeader(accepting, 'Content-Type', pick(draw, [...JSON_TYPES, ...OTHER_TYPES]))
  const bodies: (() => unknown)[] = [
    () => hostileJson(draw),
    () => ({
      ...parameters,
      [pick(draw, ['variables', 'query', 'operationName', 'extensions', 'a'])]: hostileJson(draw),
    }),
    () => ({ ...parameters, variables: { ...variables, a: hostileJson(draw) } }),
    () => Array.from({ length: 1 + below(draw, 3) }, () => parameters),
    () => ({ ...parameters, extensions: { persistedQuery: { version: 1, sha256Hash: hostileJson(draw) } } }),
    () => parameters,
  ]
  return { ...typed, body: Buffer.from(encodeJson(pick(draw, bodies)())) }
}
