/**
 * Deploys the protocol. The contracts point at each other with immutable addresses, so the router's address is computed
 * from the deployer's nonce before it exists: the same deployer on a new chain gets the same addresses.
 */
import {
  type Account,
  type Address,
  type Chain,
  type Client,
  getContractAddress,
  type Hex,
  type Transport,
} from 'viem'
import { deployContract, getTransactionCount, waitForTransactionReceipt, writeContract } from 'viem/actions'
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

export type DeployerClient = Client<Transport, Chain, Account>
export type Protocol = {
  issuerRegistry: Address
  tokenRegistry: Address
  claimRegistry: Address
  vaultRegistry: Address
  financingRouter: Address
}

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

/**
 * Deploys the five singletons; vaults are created by the registry afterwards.
 * @param roles default: the deployer has all
 * @returns lowercase addresses and the block of the first deployment
 */
export async function deployProtocol(
  deployer: DeployerClient,
  roles: Roles = allRolesOf(deployer.account.address),
): Promise<Protocol & { startBlock: bigint }> {
  const { address } = deployer.account
  const { admin, adminDelay } = roles
  const nonce = await getTransactionCount(deployer, { address, blockTag: 'pending' })
  const routerAddress = getContractAddress({ from: address, nonce: BigInt(nonce + 4) })

  const issuers = await deployed(
    deployer,
    deployContract(deployer, {
      abi: issuerRegistryAbi,
      bytecode: issuerRegistryBytecode,
      args: [{ admin, adminDelay, manager: roles.issuerManager }],
    }),
  )
  const tokens = await deployed(
    deployer,
    deployContract(deployer, {
      abi: tokenRegistryAbi,
      bytecode: tokenRegistryBytecode,
      args: [{ admin, adminDelay, manager: roles.tokenManager }],
    }),
  )
  const claims = await deployed(
    deployer,
    deployContract(deployer, {
      abi: claimRegistryAbi,
      bytecode: claimRegistryBytecode,
      args: [issuers.address, tokens.address, routerAddress],
    }),
  )
  const vaults = await deployed(
    deployer,
    deployContract(deployer, {
      abi: vaultRegistryAbi,
      bytecode: vaultRegistryBytecode,
      args: [claims.address, routerAddress, { admin, adminDelay, manager: roles.vaultManager }],
    }),
  )
  const router = await deployed(
    deployer,
    deployContract(deployer, {
      abi: financingRouterAbi,
      bytecode: financingRouterBytecode,
      args: [issuers.address, claims.address, vaults.address, { admin, adminDelay, manager: roles.pauser }],
    }),
  )
  if (router.address !== lowercase(routerAddress)) {
    throw new Error(
      `the deployer's nonce moved: the router is at ${router.address}, expected ${routerAddress}`,
    )
  }
  return {
    issuerRegistry: issuers.address,
    tokenRegistry: tokens.address,
    claimRegistry: claims.address,
    vaultRegistry: vaults.address,
    financingRouter: router.address,
    startBlock: issuers.block,
  }
}

/** Lists a token, as an account that may. */
export async function listToken(
  operator: DeployerClient,
  tokenRegistry: Address,
  token: Address,
): Promise<void> {
  const hash = await writeContract(operator, {
    address: tokenRegistry,
    abi: tokenRegistryAbi,
    functionName: 'setListed',
    args: [token, true],
  })
  const receipt = await waitForTransactionReceipt(operator, { hash, pollingInterval: 50 })
  if (receipt.status !== 'success') throw new Error(`listing token ${token} reverted in transaction ${hash}`)
}

/** Waits for a deployment; throws when it reverted. */
export async function deployed(
  client: DeployerClient,
  transaction: Promise<Hex>,
): Promise<{ address: Address; block: bigint }> {
  const receipt = await waitForTransactionReceipt(client, { hash: await transaction, pollingInterval: 50 })
  if (receipt.status !== 'success' || !receipt.contractAddress) {
    throw new Error(`deployment ${receipt.transactionHash} reverted`)
  }
  return { address: lowercase(receipt.contractAddress), block: receipt.blockNumber }
}

function lowercase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}
