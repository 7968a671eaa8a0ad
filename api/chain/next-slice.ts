import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * Reads the slice of a claim that the next financing takes, at the latest block: at the finalized block, it could be
 * one that a recent financing has taken.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readNextSlice(chain: Chain, claimRegistry: Address, claimId: Hex): Promise<number> {
  const { sliceCount } = await readChain('the slices of the claim', () =>
    chain.readContract({
      address: claimRegistry,
      abi: claimRegistryAbi,
      functionName: 'claim',
      args: [claimId],
      blockTag: 'latest',
    }),
  )
  return sliceCount
}
