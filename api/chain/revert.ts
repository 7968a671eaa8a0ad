/** Why a transaction reverted, or would: revert data in the contracts' own words. */
import { type Abi, decodeErrorResult, type Hex, isHex, size, slice } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { resetApprovalTokenAbi } from '../../abis/ResetApprovalToken.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { contractClaimStates } from '../domain/claim.ts'
import { REVERT_BYTES_MAX } from './limits.ts'

/** An error's name and its arguments as text: states by name, addresses and hashes in lowercase. */
export type Revert = { errorName: string; args: readonly string[] }

/**
 * The protocol's errors, OpenZeppelin's among them, and those of ERC-20 tokens (ERC-6093) with the one of tokens that
 * require a reset first.
 */
const EVERY_ERROR: readonly Extract<Abi[number], { type: 'error' }>[] = [
  ...financingRouterAbi,
  ...claimRegistryAbi,
  ...financingVaultAbi,
  ...issuerRegistryAbi,
  ...tokenRegistryAbi,
  ...vaultRegistryAbi,
  ...resetApprovalTokenAbi,
].filter((entry) => entry.type === 'error')

/**
 * Bounds of a `Revert`: characters of a name, arguments, and characters of one, which is at most all of the data in
 * hex.
 */
export const REVERT_BOUNDS = {
  name: Math.max(...EVERY_ERROR.map(({ name }) => name.length)),
  arguments: Math.max(...EVERY_ERROR.map(({ inputs }) => inputs.length)),
  argument: '0x'.length + 2 * REVERT_BYTES_MAX,
}

/**
 * An error that is not known here is `UnknownError` with the data as its argument; a revert without data has no
 * argument. Data of more than REVERT_BYTES_MAX bytes is not decoded: its first bytes and its size are the arguments.
 */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { errorName: 'UnknownError', args: [] }
  if (size(data) > REVERT_BYTES_MAX) {
    return { errorName: 'UnknownError', args: [slice(data, 0, REVERT_BYTES_MAX), `of ${size(data)} bytes`] }
  }
  try {
    const { errorName, args = [], abiItem } = decodeErrorResult({ abi: EVERY_ERROR, data })
    const inputs = 'inputs' in abiItem ? (abiItem.inputs ?? []) : []
    return { errorName, args: args.map((arg, index) => inWords(arg, inputs[index]?.internalType)) }
  } catch {
    return { errorName: 'UnknownError', args: [data] }
  }
}

/** @param type in Solidity, which distinguishes an enum from a number */
function inWords(value: unknown, type: string | undefined): string {
  if (type === 'enum ClaimState') return contractClaimStates[Number(value)] ?? String(value)
  return isHex(value) ? value.toLowerCase() : String(value)
}
