/**
 * The five contracts of the protocol as they are created: by one account, with consecutive nonces, in the order of
 * `CONTRACTS`. They refer to each other by immutable addresses, which follow from the account and its first nonce
 * before any of them exists.
 */
import { type Address, encodeDeployData, getContractAddress, type Hex } from 'viem'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../abis/VaultRegistry.ts'
import { claimRegistryBytecode } from './artifacts/ClaimRegistry.ts'
import { financingRouterBytecode } from './artifacts/FinancingRouter.ts'
import { issuerRegistryBytecode } from './artifacts/IssuerRegistry.ts'
import { tokenRegistryBytecode } from './artifacts/TokenRegistry.ts'
import { vaultRegistryBytecode } from './artifacts/VaultRegistry.ts'

export const CONTRACTS = [
  'issuerRegistry',
  'tokenRegistry',
  'claimRegistry',
  'vaultRegistry',
  'financingRouter',
] as const

export type ContractName = (typeof CONTRACTS)[number]
/** Lowercase addresses. */
export type Protocol = Record<ContractName, Address>

/** Who administers the protocol from the start: the administrator, and the first holder of each role. */
export type Roles = {
  admin: Address
  issuerManager: Address
  tokenManager: Address
  vaultManager: Address
  pauser: Address
  /** Seconds between the two steps by which the administrator of a contract changes. */
  adminDelay: number
}

/** Two days: enough to notice and cancel a transfer that nobody intended. */
export const ADMIN_DELAY_SECONDS = 172_800

/** One account has every role: for a devnet, and for tests. */
export function allRolesOf(account: Address, adminDelay: number = ADMIN_DELAY_SECONDS): Roles {
  return {
    admin: account,
    issuerManager: account,
    tokenManager: account,
    vaultManager: account,
    pauser: account,
    adminDelay,
  }
}

/** The addresses that the contracts get when `deployer` creates them from nonce `firstNonce` on. */
export function protocolAddresses(deployer: Address, firstNonce: number): Protocol {
  const nth = (index: number) =>
    lowercase(getContractAddress({ from: deployer, nonce: BigInt(firstNonce + index) }))
  return {
    issuerRegistry: nth(0),
    tokenRegistry: nth(1),
    claimRegistry: nth(2),
    vaultRegistry: nth(3),
    financingRouter: nth(4),
  }
}

/** The address of the contract that creates the vaults of a registry: the only one that the registry creates. */
export function vaultDeployerOf(vaultRegistry: Address): Address {
  // The nonces of a contract begin with 1.
  return lowercase(getContractAddress({ from: vaultRegistry, nonce: 1n }))
}

/** The creation code of each contract with its arguments. */
export function creationCodes(protocol: Protocol, roles: Roles): Record<ContractName, Hex> {
  const { issuerRegistry, tokenRegistry, claimRegistry, vaultRegistry, financingRouter } = protocol
  const managedBy = (manager: Address) => ({ admin: roles.admin, adminDelay: roles.adminDelay, manager })
  return {
    issuerRegistry: encodeDeployData({
      abi: issuerRegistryAbi,
      bytecode: issuerRegistryBytecode,
      args: [managedBy(roles.issuerManager)],
    }),
    tokenRegistry: encodeDeployData({
      abi: tokenRegistryAbi,
      bytecode: tokenRegistryBytecode,
      args: [managedBy(roles.tokenManager)],
    }),
    claimRegistry: encodeDeployData({
      abi: claimRegistryAbi,
      bytecode: claimRegistryBytecode,
      args: [issuerRegistry, tokenRegistry, financingRouter],
    }),
    vaultRegistry: encodeDeployData({
      abi: vaultRegistryAbi,
      bytecode: vaultRegistryBytecode,
      args: [claimRegistry, financingRouter, managedBy(roles.vaultManager)],
    }),
    financingRouter: encodeDeployData({
      abi: financingRouterAbi,
      bytecode: financingRouterBytecode,
      args: [issuerRegistry, claimRegistry, vaultRegistry, managedBy(roles.pauser)],
    }),
  }
}

export function lowercase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}
