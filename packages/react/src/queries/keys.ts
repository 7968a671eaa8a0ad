/**
 * Keys of the query cache. All begin with the gateway's origin, so that one call invalidates all reads of one gateway.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Gateway } from 'claim-financing-client'

type Reads =
  | 'claims'
  | 'vaults'
  | 'vaultSeries'
  | 'account'
  | 'quotes'
  | 'tokens'
  | 'transaction'
  | 'unfinalized'
  | 'document'

export function gatewayKey({ origin }: Gateway) {
  return ['claim-financing', origin] as const
}

export function readKey(gateway: Gateway, read: Reads, input?: unknown) {
  return [...gatewayKey(gateway), read, input] as const
}

/**
 * Repeats all reads of the gateway except transactions, which are followed until they are final.
 *
 * @param cancelRefetch whether a read that is under way begins anew; if it is repeated often, a slow one must not
 */
export function repeatReads(cache: QueryClient, gateway: Gateway, cancelRefetch = true): void {
  const [, , transaction] = readKey(gateway, 'transaction')
  const predicate = ({ queryKey: [, , read] }: Query) => read !== transaction
  void cache.invalidateQueries({ queryKey: gatewayKey(gateway), predicate }, { cancelRefetch })
}
