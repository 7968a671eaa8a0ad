import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * The slice of a claim that the next financing takes, at the latest block. The finalized block would, until finality,
 * give a slice that a recent financing has taken.
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
