/** The tokens of the deployment, to show amounts in their units. */
import { useQuery } from '@tanstack/react-query'
import { type Address, formatAmount, graphql, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'
import { retrying } from './retry.ts'

const TOKENS = graphql('{ tokens(first: 200) { nodes { address symbol name decimals listed } } }')

export type TokenRow = ResultOf<typeof TOKENS>['tokens']['nodes'][number]

/** Symbol, name and decimals never change; only a listing does. */
const FRESH_MS = 600_000

/**
 * The tokens, and `show(amount, token)`: the amount in units of the token with its symbol, undefined until the tokens
 * are read.
 */
export function useTokens(locale?: string) {
  const gateway = useGateway()
  const query = useQuery({
    ...retrying,
    staleTime: FRESH_MS,
    queryKey: readKey(gateway, 'tokens'),
    queryFn: async ({ signal }) => (await gateway.ask(TOKENS, {}, { signal })).tokens.nodes,
  })
  const show = (amount: bigint | string, token: Address): string | undefined => {
    const unit = query.data?.find(({ address }) => address === token)
    return unit && formatAmount(amount, unit, locale)
  }
  return { ...query, show }
}
