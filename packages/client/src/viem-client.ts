import type { Account, Chain, Client, Transport } from 'viem'
import type { Eip1193Provider } from './eip1193.ts'

/**
 * The wallet of a viem client, such as that of wagmi's `useConnectorClient()`. It sends no events: make a new gateway
 * when the client changes.
 */
export function walletOf(client: Client<Transport, Chain | undefined, Account | undefined>): Eip1193Provider {
  return {
    request: ({ method, params }) =>
      client.request<{ Parameters: readonly unknown[] | undefined; ReturnType: unknown }>(
        { method, params },
        // A wallet that failed may have sent the transaction all the same.
        { retryCount: 0 },
      ),
  }
}
