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
import { deployContract, getTransactionCount, waitForTransactionReceipt } from 'viem/actions'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../abis/VaultRegistry.ts'
import { claimRegistryBytecode } from './artifacts/ClaimRegistry.ts'
import { financingRouterBytecode } from './artifacts/FinancingRouter.ts'
import { issuerRegistryBytecode } from './artifacts/IssuerRegistry.ts'
import { vaultRegistryBytecode } from './artifacts/VaultRegistry.ts'

export type DeployerClient = Client<Transport, Chain, Account>
export type Protocol = {
  issuerRegistry: Address
  claimRegistry: Address
  vaultRegistry: Address
  financingRouter: Address
}

/**
 * Deploys the four singletons; vaults are created by the registry afterwards. The deployer becomes the admin.
 * @returns lowercase addresses and the block of the first deployment
 */
export async function deployProtocol(deployer: DeployerClient): Promise<Protocol & { startBlock: bigint }> {
  const admin = deployer.account.address
  const nonce = await getTransactionCount(deployer, { address: admin, blockTag: 'pending' })
  const routerAddress = getContractAddress({ from: admin, nonce: BigInt(nonce + 3) })

  const issuers = await deployed(
    deployer,
    deployContract(deployer, { abi: issuerRegistryAbi, bytecode: issuerRegistryBytecode, args: [admin] }),
  )
  const claims = await deployed(
    deployer,
    deployContract(deployer, {
      abi: claimRegistryAbi,
      bytecode: claimRegistryBytecode,
      args: [issuers.address, routerAddress],
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
    claimRegistry: claims.address,
    vaultRegistry: vaults.address,
    financingRouter: router.address,
    startBlock: issuers.block,
  }
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
