/** Events that are mined and not final. */
import { queryOptions } from '@tanstack/react-query'
import { type Address, type Gateway, graphql, type Hash, type ResultOf } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { retrying } from './retry.ts'

const PENDING_EVENTS = graphql(`
  fragment PendingEvents on Unfinalized @_unmask {
    truncated
    head { number timestamp }
    events {
      name
      arguments { name type value }
      claimId
      executionId
      vault
      transactionHash
      logIndex
      confirmations
      expectedFinalAt
      block { number timestamp }
    }
  }
`)

/** `truncated` is true if events are missing. Newest first. */
export type PendingEvents = ResultOf<typeof PENDING_EVENTS>

const UNFINALIZED = graphql(
  `query Unfinalized($wallet: Address, $claimId: Hash, $vault: Address) {
    unfinalized(wallet: $wallet, claimId: $claimId, vault: $vault, first: 50) { ...PendingEvents }
  }`,
  [PENDING_EVENTS],
)

/** Each condition that is given must hold. */
export type PendingInput = { wallet?: Address; claimId?: Hash; vault?: Address }

/** The query of `useUnfinalized`. */
export function unfinalizedQuery(gateway: Gateway, input: PendingInput = {}) {
  return queryOptions({
    ...retrying,
    queryKey: readKey(gateway, 'unfinalized', input),
    queryFn: async ({ signal }) => (await gateway.ask(UNFINALIZED, input, { signal })).unfinalized,
  })
}
