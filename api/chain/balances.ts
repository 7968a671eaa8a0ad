import { type Address, erc20Abi } from 'viem'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import type { PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/**
 * What a wallet holds of each token at a pinned block, in the order of the tokens, in one call.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readBalances(
  chain: Chain,
  block: PinnedBlock,
  wallet: Address,
  tokens: readonly Address[],
): Promise<BaseUnits[]> {
  return readChain(`the balances at block ${block.number}`, () =>
    chain.multicall({
      // No Multicall3 is needed at the chain: its code travels with the call.
      deployless: true,
      allowFailure: false,
      blockNumber: block.number,
      contracts: tokens.map((address) => ({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf' as const,
        args: [wallet] as const,
      })),
    }),
  )
}
