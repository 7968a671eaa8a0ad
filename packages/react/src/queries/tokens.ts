/** The tokens of the deployment, to show amounts in their units. */
import { queryOptions } from '@tanstack/react-query'
import { type Gateway, graphql, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

const TOKENS = graphql(
  'query Tokens { tokens(first: 200) { nodes { address symbol name decimals listed } } }',
)

export type TokenRow = ResultOf<typeof TOKENS>['tokens']['nodes'][number]

/** Symbol, name and decimals never change; only a listing does. */
const FRESH_MS = 600_000

/** The query of `useTokens`. */
export function tokensQuery(gateway: Gateway) {
  return queryOptions({
    ...retrying,
    staleTime: FRESH_MS,
    queryKey: readKey(gateway, 'tokens'),
    queryFn: async ({ signal }) => (await gateway.ask(TOKENS, {}, { signal })).tokens.nodes,
  })
}
