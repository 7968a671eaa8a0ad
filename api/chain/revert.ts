/** Why a transaction reverted, or would: revert data in the contracts' own words. */
import { type Abi, decodeErrorResult, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { resetApprovalTokenAbi } from '../../abis/ResetApprovalToken.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'

/** An error's name and its arguments as text, addresses and hashes in lowercase. */
export type Revert = { errorName: string; args: readonly string[] }

/** The protocol's errors, OpenZeppelin's among them, and those of ERC-20 tokens (ERC-6093) with the one that wants a reset first. */
const EVERY_ERROR: Abi = [
  ...financingRouterAbi,
  ...claimRegistryAbi,
  ...financingVaultAbi,
  ...issuerRegistryAbi,
  ...vaultRegistryAbi,
  ...resetApprovalTokenAbi,
].filter(({ type }) => type === 'error')

/** What nobody here knows is `UnknownError` with the data as its argument; a revert that says nothing has no argument. */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { errorName: 'UnknownError', args: [] }
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: EVERY_ERROR, data })
    return {
      errorName,
      args: args.map((arg) =>
        typeof arg === 'string' && arg.startsWith('0x') ? arg.toLowerCase() : String(arg),
      ),
    }
  } catch {
    return { errorName: 'UnknownError', args: [data] }
  }
}
