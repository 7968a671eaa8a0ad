/**
 * Deploys the protocol by transactions that are mined one after the other: for the devnet, tests and benchmarks.
 * `deploy/` does it on a real chain.
 */
import type { Account, Address, Chain, Client, Hex, Transport } from 'viem'
import { getTransactionCount, sendTransaction, waitForTransactionReceipt, writeContract } from 'viem/actions'
import { tokenRegistryAbi } from '../abis/TokenRegistry.ts'
import {
  allRolesOf,
  CONTRACTS,
  creationCodes,
  lowercase,
  type Protocol,
  protocolAddresses,
  type Roles,
} from './protocol.ts'

export type DeployerClient = Client<Transport, Chain, Account>

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
  const firstNonce = await getTransactionCount(deployer, { address, blockTag: 'pending' })
  const protocol = protocolAddresses(address, firstNonce)
  const codes = creationCodes(protocol, roles)
  const blocks: bigint[] = []
  for (const [index, name] of CONTRACTS.entries()) {
    const transaction = sendTransaction(deployer, { data: codes[name], nonce: firstNonce + index })
    const created = await deployed(deployer, transaction)
    if (created.address !== protocol[name]) {
      throw new Error(`${name} is at ${created.address}, expected ${protocol[name]}`)
    }
    blocks.push(created.block)
  }
  return { ...protocol, startBlock: blocks[0] ?? 0n }
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
