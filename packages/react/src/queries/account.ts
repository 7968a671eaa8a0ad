/** Balances, credits and vault shares of an account. */
import { queryOptions, skipToken } from '@tanstack/react-query'
import { type Address, type Gateway, graphql, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

const ACCOUNT_FIGURES = graphql(`
  fragment AccountFigures on Account @_unmask {
    address
    balances { token symbol decimals balance }
    credits { tokenInfo { address symbol name decimals } amount }
    positions(first: 200) {
      nodes { shares vault { address name symbol shareDecimals tokenInfo { address symbol name decimals } } }
    }
  }
`)

export type AccountFigures = ResultOf<typeof ACCOUNT_FIGURES>

const ACCOUNT = graphql(
  'query Account($address: Address!) { account(address: $address) { ...AccountFigures } }',
  [ACCOUNT_FIGURES],
)

export const LIVE_ACCOUNT = graphql(
  'subscription LiveAccount($address: Address!) { account(address: $address) { ...AccountFigures } }',
  [ACCOUNT_FIGURES],
)

/** The query of `useAccount`. Without an account, nothing is read. */
export function accountQuery(gateway: Gateway, account: Address | undefined) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'account', account),
    queryFn: account
      ? async ({ signal }) => (await gateway.ask(ACCOUNT, { address: account }, { signal })).account
      : skipToken,
  })
}
