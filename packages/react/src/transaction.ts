/** The status of a transaction, as it changes. */
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Hash } from 'claim-financing-client'
import { readKey } from './keys.ts'
import { useGateway } from './provider.ts'

/**
 * Follows a transaction until reads show it; `data` is its last status. Fails with `TRANSACTION_REVERTED`. Requires a
 * session.
 */
export function useTransaction(hash: Hash | undefined) {
  const gateway = useGateway()
  const cache = useQueryClient()
  const queryKey = readKey(gateway, 'transaction', hash)
  return useQuery({
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
