/** GraphQL, typed by the gateway's own schema: what a document selects is what its answer has. */
import { type DocumentDecoration, initGraphQLTada } from 'gql.tada'
import { type DocumentNode, print } from 'graphql'
import { toGatewayError, toGraphqlError } from './errors.ts'
import type { introspection } from './generated/graphql.ts'
import type { Send } from './transport.ts'

/** Makes a document: ``graphql(`{ claims(first: 3) { nodes { claimId } } }`)``. Money stays a decimal string of base units. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: {
    Address: `0x${string}`
    Hash: `0x${string}`
    Amount: string
    DateTime: string
    SafeInt: number
  }
}>()

export { type FragmentOf, type ResultOf, readFragment, type VariablesOf } from 'gql.tada'

/** Of gql.tada, or of any generator of typed documents. */
export type TypedDocument<Result, Variables> = DocumentNode & DocumentDecoration<Result, Variables>

export type Ask = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  variables?: Variables,
) => Promise<Result>

/** @throws GatewayError with the code of the first error: a partial answer is an error */
export function createAsk(url: string, send: Send): Ask {
  return async (document, variables) => {
    const response = await send(
      new Request(`${url}/api/v1/graphql`, {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: print(document), variables }),
      }),
    )
    if (!response.headers.get('Content-Type')?.includes('json')) throw await toGatewayError(response)
    const { data, errors } = await response.json()
    if (errors) throw toGraphqlError(errors, response.status)
    return data
  }
}
