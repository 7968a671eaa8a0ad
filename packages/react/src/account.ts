/** Balances, credits and vault shares of an account. */
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { type Address, type Gateway, graphql } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'
import { retrying } from './retry.ts'
import { useSession } from './session.ts'

const ACCOUNT = graphql(`
  query Account($address: Address!) {
    account(address: $address) {
      address
      balances { token symbol decimals balance }
      credits { tokenInfo { address symbol name decimals } amount }
      positions(first: 200) { nodes { shares vault { address name symbol shareDecimals tokenInfo { address symbol name decimals } } } }
    }
  }
`)

/**
 * Balances, credits of the router and vault shares of an account. Default: the signed-in wallet; without one, nothing
 * is read.
 */
export function useAccount(address?: Address) {
  const gateway = useGateway()
  const wallet = useSession()?.wallet
  return useQuery(accountQuery(gateway, address ?? wallet))
}

/** The query of `useAccount`, to prefetch it. */
export function accountQuery(gateway: Gateway, account: Address | undefined) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'account', account),
    queryFn: account
      ? async ({ signal }) => (await gateway.ask(ACCOUNT, { address: account }, { signal })).account
      : skipToken,
  })
}
