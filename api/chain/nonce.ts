import type { Address } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * The user's next nonce in the router, at the latest block. The finalized block would, until finality, give a nonce
 * that a recent execution has used.
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
