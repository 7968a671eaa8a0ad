/**
 * Keys of the query cache. All begin with the gateway's origin, so that one call invalidates all reads of one gateway.
 */
import type { Gateway } from 'claim-financing-client'

type Reads = 'session' | 'claims' | 'vaults' | 'vaultSeries' | 'account' | 'quotes' | 'tokens' | 'transaction'

export function gatewayKey({ origin }: Gateway) {
  return ['claim-financing', origin] as const
}

export function readKey(gateway: Gateway, read: Reads, input?: unknown) {
  return [...gatewayKey(gateway), read, input] as const
}
