/**
 * Keys of the query cache. All begin with the gateway's origin, so that one call invalidates all reads of one gateway.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { Gateway, Session } from 'claim-financing-client'

type Reads = 'claims' | 'vaults' | 'vaultSeries' | 'account' | 'quotes' | 'tokens' | 'transaction'

export function gatewayKey({ origin }: Gateway) {
  return ['claim-financing', origin] as const
}

export function readKey(gateway: Gateway, read: Reads, input?: unknown) {
  return [...gatewayKey(gateway), read, input] as const
}

/** Key of a read whose answer is for the session alone. */
export function ownKey(gateway: Gateway, session: Session | null | undefined, read: Reads, input?: unknown) {
  return readKey(gateway, read, {
    input,
    session: session && [session.wallet, session.chainId, session.expiresAt],
  })
}

/** Reads anew what the page shows of the gateway, but for transactions, which are followed until they are final. */
export function repeatReads(cache: QueryClient, gateway: Gateway): Promise<void> {
  const [, , transaction] = readKey(gateway, 'transaction')
  return cache.invalidateQueries({
    queryKey: gatewayKey(gateway),
    predicate: ({ queryKey: [, , read] }) => read !== transaction,
  })
}
