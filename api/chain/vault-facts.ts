import type { Address } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { lowercaseAddress } from '../domain/address.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

export type VaultFacts = {
  token: Address
  curator: Address
  active: boolean
  /** The most that a deposit may have, in assets and in shares. Both are 0 for an inactive vault. */
  maxDeposit: BaseUnits
  maxMint: BaseUnits
}

/**
 * Reads a vault at a block.
 * @returns undefined for an address that the registry does not have as a vault
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readVaultFacts(
  chain: Chain,
  block: PinnedBlock,
  vaultRegistry: Address,
  address: Address,
): Promise<VaultFacts | undefined> {
  const registry = { address: vaultRegistry, abi: vaultRegistryAbi, args: [address] } as const
  const vault = { address, abi: financingVaultAbi } as const
  const at = atHashOf(block)
  return readChain(`the vault at block ${block.number}`, async () => {
    // Another contract may answer the calls of a vault with anything, so none is asked.
    if (!(await chain.readContract({ ...registry, functionName: 'isRegistered', ...at }))) return undefined
    const [active, token, curator, maxDeposit, maxMint] = await chain.multicall({
      deployless: true,
      allowFailure: false,
      ...at,
      contracts: [
        { ...registry, functionName: 'isActive' },
        { ...vault, functionName: 'asset' },
        { ...vault, functionName: 'owner' },
        { ...vault, functionName: 'maxDeposit', args: [address] },
        { ...vault, functionName: 'maxMint', args: [address] },
      ],
    })
    return {
      token: lowercaseAddress(token),
      curator: lowercaseAddress(curator),
      active,
      maxDeposit,
      maxMint,
    }
  })
}
