/** Decodes revert data: the error with which a transaction reverted or would revert. */
import { type Abi, decodeErrorResult, type Hex, isHex, size, slice } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { resetApprovalTokenAbi } from '../../abis/ResetApprovalToken.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { contractClaimStates } from '../domain/claim.ts'
import { REVERT_BYTES_MAX } from './call-limits.ts'

/** Name of an error and its arguments as text: states by name, addresses and hashes in lowercase. */
export type Revert = { errorName: string; args: readonly string[] }

/**
 * Errors of the protocol and of OpenZeppelin, errors of ERC-20 tokens (ERC-6093), and the error of tokens that require
 * a reset of an allowance.
 */
export const EVERY_ERROR: readonly Extract<Abi[number], { type: 'error' }>[] = [
  ...financingRouterAbi,
  ...claimRegistryAbi,
  ...financingVaultAbi,
  ...issuerRegistryAbi,
  ...tokenRegistryAbi,
  ...vaultRegistryAbi,
  ...resetApprovalTokenAbi,
].filter((entry) => entry.type === 'error')

/**
 * Bounds of a `Revert`: characters of a name, number of arguments, and characters of an argument, which is at most all
 * of the data in hex.
 */
export const REVERT_BOUNDS = {
  name: Math.max(...EVERY_ERROR.map(({ name }) => name.length)),
  arguments: Math.max(...EVERY_ERROR.map(({ inputs }) => inputs.length)),
  argument: '0x'.length + 2 * REVERT_BYTES_MAX,
}

/**
 * Decodes revert data. An unknown error is `UnknownError` with the data as its argument, or without an argument for a
 * revert without data. Data of more than REVERT_BYTES_MAX bytes is not decoded: its first bytes and its size are the
 * arguments.
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

/** @param type type in Solidity, which distinguishes an enum from a number */
function inWords(value: unknown, type: string | undefined): string {
  if (type === 'enum ClaimState') return contractClaimStates[Number(value)] ?? String(value)
  return isHex(value) ? value.toLowerCase() : String(value)
}
