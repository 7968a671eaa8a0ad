import type { Address, Hex } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { lowercaseAddress } from '../domain/address.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** Who can impair a slice of a vault, and how far. The grace periods are seconds after the due date of the claim. */
export type ImpairmentTerms = {
  curator: Address
  curatorGrace: bigint
  publicGrace: bigint
  /** Part of the slice's advance that is written down already. */
  impairment: BaseUnits
}

/**
 * Reads the impairment terms of a slice, in one call.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readImpairmentTerms(
  chain: Chain,
  block: PinnedBlock,
  { vault, claimId, sliceIndex }: { vault: Address; claimId: Hex; sliceIndex: number },
): Promise<ImpairmentTerms> {
  const contract = { address: vault, abi: financingVaultAbi } as const
  const [curator, curatorGrace, publicGrace, impairment] = await readChain(
    `the vault at block ${block.number}`,
    () =>
      chain.multicall({
        deployless: true,
        allowFailure: false,
        ...atHashOf(block),
        contracts: [
          { ...contract, functionName: 'owner' },
          { ...contract, functionName: 'CURATOR_GRACE_PERIOD' },
          { ...contract, functionName: 'PUBLIC_GRACE_PERIOD' },
          { ...contract, functionName: 'impairmentOf', args: [claimId, BigInt(sliceIndex)] },
        ],
      }),
  )
  return { curator: lowercaseAddress(curator), curatorGrace, publicGrace, impairment }
}
