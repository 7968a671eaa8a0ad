/** The status of a transaction, as it changes. */
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import type { Gateway, Hash } from 'claim-financing-client'
import { readKey } from './keys.ts'

/** The query of `useTransaction`: each status that it learns is put into `cache`. */
export function transactionQuery(gateway: Gateway, cache: QueryClient, hash: Hash | undefined) {
  const queryKey = readKey(gateway, 'transaction', hash)
  return queryOptions({
    queryKey,
    queryFn: hash
      ? ({ signal }) =>
          gateway.follow(hash, { signal, onStatus: (status) => cache.setQueryData(queryKey, status) })
      : skipToken,
    retry: false,
    // A component that left before the end follows it anew.
    staleTime: ({ state }) => (state.data?.status === 'PROJECTED' ? Number.POSITIVE_INFINITY : 0),
  })
}
