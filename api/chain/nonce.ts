import type { Address } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * Reads the next nonce of the user in the router, at the latest block: at the finalized block, it could be one that a
 * recent execution has used.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readRouterNonce(chain: Chain, router: Address, user: Address): Promise<bigint> {
  return readChain('the router nonce', () =>
    chain.readContract({
      address: router,
      abi: financingRouterAbi,
      functionName: 'nonces',
      args: [user],
      blockTag: 'latest',
    }),
  )
}
