/** The status of a transaction, as it changes. */
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Gateway, Hash } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'

/**
 * Follows a transaction until reads show it; `data` is its last status. Fails with `TRANSACTION_REVERTED`. Requires a
 * session.
 */
export function useTransaction(hash: Hash | undefined) {
  return useQuery(transactionQuery(useGateway(), useQueryClient(), hash))
}

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
    // The last status is final.
    staleTime: Number.POSITIVE_INFINITY,
  })
}
