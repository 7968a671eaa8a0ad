import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { lowercaseAddress } from '../domain/address.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { toClaim } from './lens-decode.ts'
import type { ChainClaim, LensAllocation } from './lens-types.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** A slice with the advance that the vault paid for it. */
type Slice = LensAllocation & { advanceAmount: BaseUnits }

/**
 * Reads a claim and its slices in one call.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readClaim(
  chain: Chain,
  block: PinnedBlock,
  claimRegistry: Address,
  claimId: Hex,
): Promise<{ claim: ChainClaim; allocations: Slice[] }> {
  const registry = { address: claimRegistry, abi: claimRegistryAbi, args: [claimId] } as const
  const [claim, allocations] = await readChain(`the claim at block ${block.number}`, () =>
    chain.multicall({
      deployless: true,
      allowFailure: false,
      ...atHashOf(block),
      contracts: [
        { ...registry, functionName: 'claim' },
        { ...registry, functionName: 'allocations' },
      ],
    }),
  )
  return {
    claim: toClaim(claimId, claim),
    allocations: allocations.map(({ vault, faceAmount, advanceAmount }) => ({
      vault: lowercaseAddress(vault),
      faceAmount,
      advanceAmount,
    })),
  }
}
