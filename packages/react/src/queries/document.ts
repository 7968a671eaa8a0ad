/** The answer to any document of GraphQL. */
import { queryOptions } from '@tanstack/react-query'
import type { Gateway, TypedDocument } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

/** The query of `useRead`. */
export function documentQuery<Result, Variables extends object>(
  gateway: Gateway,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'document', { document, variables }),
    queryFn: ({ signal }) => gateway.ask(document, variables, { signal }),
  })
}
