/** GraphQL, typed by the gateway's own schema: what a document selects is what its answer has. */
import { type DocumentNode, print } from '@0no-co/graphql.web'
import { type DocumentDecoration, initGraphQLTada } from 'gql.tada'
import { refuseBroken, toErrorOf, toGraphqlError } from './errors.ts'
import type { introspection } from './generated/graphql.ts'
import type { Scalars } from './scalars.ts'
import type { Send } from './transport.ts'

/**
 * Makes a document: ``graphql(`{ claims(first: 3) { nodes { claimId } } }`)``. Money stays a decimal string of base
 * units.
 */
export const graphql = initGraphQLTada<{ introspection: introspection; scalars: Scalars }>()

/** An input type or enumeration of the schema: `Input<'ClaimFilter'>`. */
export type Input<Name extends keyof introspection['types']> = ReturnType<typeof graphql.scalar<Name>>

export { type FragmentOf, type ResultOf, readFragment, type VariablesOf } from 'gql.tada'
export type { introspection }

/** A document of gql.tada, or of any generator of typed documents. */
export type TypedDocument<Result, Variables> = DocumentNode & DocumentDecoration<Result, Variables>

/**
 * Options of a read. For endpoints of REST, they are a part of the argument: `get(path, { params, signal, headers })`.
 */
export type ReadOptions = {
  signal?: AbortSignal | undefined
  /** Further headers, such as those of `minBlock`. */
  headers?: Record<string, string> | undefined
}

/**
 * Options of a read that shows at least this finalized block. The gateway waits for it, at most a few seconds, or
 * answers `PROJECTION_BEHIND`.
 */
export function minBlock(block: number): { headers: { 'X-Min-Block': string } } {
  return { headers: { 'X-Min-Block': String(block) } }
}

/** Variables may be left out if the document requires none. */
export type Given<Variables, Options = ReadOptions> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options]

export type Ask = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  ...given: Given<Variables>
) => Promise<Result>

/** @throws GatewayError with the code of the first error: a partial answer is an error */
export function createAsk(url: string, send: Send): Ask {
  return async (document, ...[variables, options]) => {
    const response = await send(toRequest(url, 'application/json', { document, variables, options }))
    const isJson = response.headers.get('Content-Type')?.includes('json')
    const broken = response.ok ? refuseBroken : () => undefined
    const answer = isJson ? await response.json().catch(broken) : undefined
    // A proxy in front of the gateway answers with a page, or with JSON of its own.
    if (!isAnswer(answer)) throw toErrorOf(response, answer)
    return toData(answer, response.status)
  }
}

/** Whether a body has the form of an answer of GraphQL. */
export function isAnswer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)
}

type Operation = { document: DocumentNode; variables: object | undefined; options: ReadOptions | undefined }

export function toRequest(url: string, accept: string, { document, variables, options }: Operation): Request {
  return new Request(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: { ...options?.headers, Accept: accept, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
    signal: options?.signal ?? null,
  })
}

/** The data of an answer. @throws GatewayError with the code of the first error */
export function toData<Data>({ data, errors }: { data: Data; errors?: unknown }, status: number): Data {
  if (errors) throw toGraphqlError(errors, status)
  return data
}
