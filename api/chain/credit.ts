import type { Address } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/**
 * Reads the credit of an account in a token at a block: the amount that the router holds.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readCredit(
  chain: Chain,
  block: PinnedBlock,
  { router, account, token }: { router: Address; account: Address; token: Address },
): Promise<BaseUnits> {
  return readChain(`the credit at block ${block.number}`, () =>
    chain.readContract({
      address: router,
      abi: financingRouterAbi,
      functionName: 'credits',
      args: [account, token],
      ...atHashOf(block),
    }),
  )
}
