/** The status of a transaction, as it changes. */
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import type { Gateway, Hash, Session } from 'claim-financing-client'
import { ownKey } from './keys.ts'

/** The query of `useTransaction`: each status that it learns is put into `cache`. */
export function transactionQuery(
  gateway: Gateway,
  session: Session | null | undefined,
  cache: QueryClient,
  hash: Hash | undefined,
) {
  const queryKey = ownKey(gateway, session, 'transaction', hash)
  return queryOptions({
    queryKey,
    queryFn:
      hash && session
        ? ({ signal }) =>
            gateway.follow(hash, { signal, onStatus: (status) => cache.setQueryData(queryKey, status) })
        : skipToken,
    retry: false,
    // A component that left before the end follows it anew.
    staleTime: ({ state }) => (state.data?.status === 'PROJECTED' ? Number.POSITIVE_INFINITY : 0),
  })
}
