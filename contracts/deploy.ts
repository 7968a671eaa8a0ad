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

/**
 * Deploys the five singletons; vaults are created by the registry afterwards. The deployer becomes the admin.
 * @returns lowercase addresses and the block of the first deployment
 */
export async function deployProtocol(deployer: DeployerClient): Promise<Protocol & { startBlock: bigint }> {
  const admin = deployer.account.address
  const nonce = await getTransactionCount(deployer, { address: admin, blockTag: 'pending' })
  const routerAddress = getContractAddress({ from: admin, nonce: BigInt(nonce + 4) })

  const issuers = await deployed(
    deployer,
    deployContract(deployer, { abi: issuerRegistryAbi, bytecode: issuerRegistryBytecode, args: [admin] }),
  )
  const tokens = await deployed(
    deployer,
    deployContract(deployer, { abi: tokenRegistryAbi, bytecode: tokenRegistryBytecode, args: [admin] }),
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
      args: [claims.address, routerAddress, admin],
    }),
  )
  const router = await deployed(
    deployer,
    deployContract(deployer, {
      abi: financingRouterAbi,
      bytecode: financingRouterBytecode,
      args: [issuers.address, claims.address, vaults.address, admin],
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
