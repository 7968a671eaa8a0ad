/** Sends transactions to a local chain and says in the contracts' own words what came of them. */
import { setTimeout } from 'node:timers/promises'
import {
  type Abi,
  type Address,
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  isHex,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { resetApprovalTokenAbi } from '../../abis/ResetApprovalToken.ts'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultDeployerAbi } from '../../abis/VaultDeployer.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { blockingTokenAbi } from '../../contracts/testing/generated/BlockingToken.ts'
import type { ChainClient } from './anvil.ts'
import { lowercase, type Party } from './parties.ts'

/** Everything a contract of the protocol can emit or revert with, whichever contract was called. */
const everyAbi: Abi = [
  ...issuerRegistryAbi,
  ...tokenRegistryAbi,
  ...claimRegistryAbi,
  ...vaultRegistryAbi,
  ...vaultDeployerAbi,
  ...financingVaultAbi,
  ...financingRouterAbi,
  ...resetApprovalTokenAbi,
  ...smartWalletAbi,
  ...demoTokenAbi,
  ...blockingTokenAbi,
]

/** Enough for anything here, and below the cap of one transaction (EIP-7825). */
const GAS_LIMIT = 16_000_000n

/** The unsigned transaction, as the service prepares it. */
export type Call = { to: Address; data: Hex }

/** A transaction that the contracts refuse; `args` as the contract gave them, addresses in lowercase. */
export class ContractReverted extends Error {
  readonly errorName: string
  readonly args: readonly unknown[]

  constructor(errorName: string, args: readonly unknown[]) {
    super(`reverted with ${errorName}(${args.map(String).join(', ')})`)
    this.errorName = errorName
    this.args = args
  }
}

/**
 * Sends `call` as `from` and waits until it is mined. One at a time for each sender: anvil gives calls that come
 * together the same nonce.
 * @throws ContractReverted when the contracts would refuse it in the next block; nothing is sent then
 */
export async function send(chain: ChainClient, from: Party, call: Call): Promise<TransactionReceipt> {
  const { to, data } = throughWallet(from, call)
  await dryRun(chain, from, call)
  const hash = await chain.sendTransaction({ account: senderOf(from), chain: null, to, data, gas: GAS_LIMIT })
  const receipt = await minedReceipt(chain, hash)
  if (receipt.status !== 'success')
    throw new Error(`transaction ${hash} reverted after a dry run that passed`)
  return receipt
}

const MINED_WITHIN_MS = 300_000
const POLL_MS = 5

/**
 * Asks until the receipt is there. viem's wait asks again only when another block comes, and anvil, under load, names
 * its new block a moment before that block's receipts: with no further block, such a wait never ends.
 */
export async function minedReceipt(chain: ChainClient, hash: Hex): Promise<TransactionReceipt> {
  const until = Date.now() + MINED_WITHIN_MS
  for (;;) {
    try {
      return await chain.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > until) throw error
    }
    await setTimeout(POLL_MS)
  }
}

/** Runs `call` as `from` in the next block without sending it. @throws ContractReverted */
export async function dryRun(chain: ChainClient, from: Party, call: Call): Promise<Hex> {
  const { to, data } = throughWallet(from, call)
  try {
    const result = await chain.call({
      account: senderOf(from),
      to,
      data,
      gas: GAS_LIMIT,
      blockTag: 'pending',
    })
    return result.data ?? '0x'
  } catch (error) {
    throw contractReverted(error) ?? error
  }
}

/** Enough for several calls in a block. */
const GAS_OF_SEVERAL = 3_000_000n

/** Mines calls of different senders in one block, in this order. They may revert. */
export async function inOneBlock(
  chain: ChainClient,
  calls: readonly (Call & { from: Address })[],
): Promise<TransactionReceipt[]> {
  await chain.setAutomine(false)
  try {
    const hashes: Hex[] = []
    for (const [index, { from, to, data }] of calls.entries()) {
      // The block has the highest price first.
      const maxPriorityFeePerGas = BigInt(calls.length - index) * 1_000_000_000n
      const fees = { maxPriorityFeePerGas, maxFeePerGas: 100n * maxPriorityFeePerGas }
      const call = { account: from, chain: null, to, data, gas: GAS_OF_SEVERAL, ...fees }
      hashes.push(await chain.sendTransaction(call))
    }
    await chain.mine({ blocks: 1 })
    return await Promise.all(hashes.map((hash) => minedReceipt(chain, hash)))
  } finally {
    await chain.setAutomine(true)
  }
}

/** Runs `call` on the state after a block, at any time in Unix seconds. @throws ContractReverted */
export async function callAt(
  chain: ChainClient,
  from: Address,
  call: Call,
  { blockNumber, timestamp }: { blockNumber: bigint; timestamp: bigint },
): Promise<void> {
  const blockOverrides = { time: timestamp }
  try {
    await chain.call({ account: from, ...call, gas: GAS_LIMIT, blockNumber, blockOverrides })
  } catch (error) {
    throw contractReverted(error) ?? error
  }
}

/** Events of the protocol, its vaults and tokens, in order; addresses in lowercase. */
export function eventsOf(receipt: TransactionReceipt): { emitter: Address; name: string; args: unknown }[] {
  return parseEventLogs({ abi: everyAbi, logs: receipt.logs }).map((log) => ({
    emitter: lowercase(log.address),
    name: log.eventName,
    args: lowercaseAddresses(log.args),
  }))
}

function senderOf(from: Party): Address {
  return from.kind === 'IMPERSONATED' ? from.address : lowercase(from.key.address)
}

function throughWallet(from: Party, call: Call): Call {
  if (from.kind !== 'SMART_WALLET') return call
  const args = [call.to, call.data] as const
  return {
    to: from.address,
    data: encodeFunctionData({ abi: smartWalletAbi, functionName: 'execute', args }),
  }
}

function contractReverted(error: unknown): ContractReverted | undefined {
  const data = revertData(error)
  if (data === undefined) return undefined
  const decoded = decodeErrorResult({ abi: everyAbi, data })
  return new ContractReverted(decoded.errorName, (decoded.args ?? []).map(lowercaseAddresses))
}

function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  const source = error.walk((cause) => cause instanceof Error && 'data' in cause && isHex(cause.data))
  return source && 'data' in source && isHex(source.data) ? source.data : undefined
}

function lowercaseAddresses(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowercaseAddresses)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lowercaseAddresses(inner)]))
}

/** How the contracts refused `action`. @throws when it went through, or failed for another reason */
export async function revertOf(
  action: Promise<unknown>,
): Promise<{ errorName: string; args: readonly unknown[] }> {
  try {
    await action
  } catch (error) {
    if (error instanceof ContractReverted) return { errorName: error.errorName, args: error.args }
    throw error
  }
  throw new Error('expected the contracts to refuse, but the action went through')
}

/**
 * The name of the error with which the contracts refused `action`, or `accepted`. @throws when it failed for another
 * reason
 */
export async function outcomeOf(action: Promise<unknown>): Promise<string> {
  try {
    await action
    return 'accepted'
  } catch (error) {
    if (error instanceof ContractReverted) return error.errorName
    throw error
  }
}
