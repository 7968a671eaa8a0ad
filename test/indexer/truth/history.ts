/**
 * The logs of the protocol's contracts up to a block, decoded by their ABIs, by event and in the order of the chain.
 */
import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../../abis/VaultRegistry.ts'
import { lowercase } from '../../support/parties.ts'
import type { World } from '../../support/protocol.ts'

/** Place of a log; `at` is the time of its block in Unix seconds. */
export type Located = {
  address: Address
  blockNumber: bigint
  transactionHash: Hex
  logIndex: number
  at: bigint
}

export type History = Awaited<ReturnType<typeof readHistory>>

export async function readHistory({ chain, protocol, startBlock }: World, toBlock: bigint) {
  const range = { fromBlock: 0n, toBlock, strict: true } as const
  const [issuers, tokens, claims, registry, router] = await Promise.all([
    chain.getContractEvents({ abi: issuerRegistryAbi, address: protocol.issuerRegistry, ...range }),
    chain.getContractEvents({ abi: tokenRegistryAbi, address: protocol.tokenRegistry, ...range }),
    chain.getContractEvents({ abi: claimRegistryAbi, address: protocol.claimRegistry, ...range }),
    chain.getContractEvents({ abi: vaultRegistryAbi, address: protocol.vaultRegistry, ...range }),
    chain.getContractEvents({ abi: financingRouterAbi, address: protocol.financingRouter, ...range }),
  ])
  const created = only(registry, 'VaultRegistered')
  const address = created.map(({ args }) => args.vault)
  const vaults = await chain.getContractEvents({ abi: financingVaultAbi, address, ...range })

  const everything = [...issuers, ...tokens, ...claims, ...registry, ...router, ...vaults]
  const times = new Map<bigint, bigint>()
  for (const blockNumber of new Set([startBlock, ...everything.map((log) => log.blockNumber)])) {
    times.set(blockNumber, (await chain.getBlock({ blockNumber })).timestamp)
  }
  const timeOf = (block: bigint) => times.get(block) ?? missing(`the time of block ${block}`)
  const dated = <L extends { blockNumber: bigint }>(logs: readonly L[]) =>
    logs.map((log) => Object.assign(log, { at: timeOf(log.blockNumber) }))

  return {
    router: protocol.financingRouter,
    start: { block: startBlock, at: timeOf(startBlock) },
    issuerStatus: dated(only(issuers, 'IssuerStatusChanged')),
    tokensAdded: dated(only(tokens, 'TokenAdded')),
    tokenStatus: dated(only(tokens, 'TokenStatusChanged')),
    registered: dated(only(claims, 'ClaimRegistered')),
    stateChanges: dated(only(claims, 'ClaimStateChanged')),
    reserved: dated(only(claims, 'SliceReserved')),
    allocated: dated(only(claims, 'AllocationRegistered')),
    vaultRegistered: dated(created),
    vaultStatus: dated(only(registry, 'VaultStatusChanged')),
    mandates: dated(only(vaults, 'MandateChanged')),
    pricings: dated(only(vaults, 'PricingChanged')),
    submitted: dated(only(vaults, 'TermsSubmitted')),
    revokedTerms: dated(only(vaults, 'TermsRevoked')),
    owners: dated(only(vaults, 'OwnershipTransferred')),
    transfers: dated(only(vaults, 'Transfer')),
    deposits: dated(only(vaults, 'Deposit')),
    withdrawals: dated(only(vaults, 'Withdraw')),
    fundings: dated(only(vaults, 'Funded')),
    repayments: dated(only(vaults, 'Repaid')),
    executed: dated(only(router, 'Executed')),
    legs: dated(only(router, 'LegExecuted')),
    cancelled: dated(only(router, 'RoutesCancelled')),
    payments: dated(only(router, 'ClaimPaid')),
    credited: dated(only(router, 'Credited')),
    creditsWithdrawn: dated(only(router, 'CreditWithdrawn')),
    paused: dated(only(router, 'Paused')),
    unpaused: dated(only(router, 'Unpaused')),
  }
}

/** The history up to a block. */
export function until(history: History, block: bigint): History {
  const logs = <L extends Located>(of: readonly L[]) => of.filter(({ blockNumber }) => blockNumber <= block)
  return {
    ...history,
    issuerStatus: logs(history.issuerStatus),
    tokensAdded: logs(history.tokensAdded),
    tokenStatus: logs(history.tokenStatus),
    registered: logs(history.registered),
    stateChanges: logs(history.stateChanges),
    reserved: logs(history.reserved),
    allocated: logs(history.allocated),
    vaultRegistered: logs(history.vaultRegistered),
    vaultStatus: logs(history.vaultStatus),
    mandates: logs(history.mandates),
    pricings: logs(history.pricings),
    submitted: logs(history.submitted),
    revokedTerms: logs(history.revokedTerms),
    owners: logs(history.owners),
    transfers: logs(history.transfers),
    deposits: logs(history.deposits),
    withdrawals: logs(history.withdrawals),
    fundings: logs(history.fundings),
    repayments: logs(history.repayments),
    executed: logs(history.executed),
    legs: logs(history.legs),
    cancelled: logs(history.cancelled),
    payments: logs(history.payments),
    credited: logs(history.credited),
    creditsWithdrawn: logs(history.creditsWithdrawn),
    paused: logs(history.paused),
    unpaused: logs(history.unpaused),
  }
}

function only<L extends { eventName: string }, N extends L['eventName']>(logs: readonly L[], name: N) {
  return logs.filter((log): log is Extract<L, { eventName: N }> => log.eventName === name)
}

export function missing(what: string): never {
  throw new Error(`the history has not ${what}`)
}

/** The logs of one emitter. */
export function by<L extends Located>(logs: readonly L[], address: Address): L[] {
  return logs.filter((log) => lowercase(log.address) === address)
}

/** In the order of the chain. */
export function inOrder<L extends Pick<Located, 'blockNumber' | 'logIndex'>>(logs: readonly L[]): L[] {
  return logs.toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

/** The columns of the last of some events. */
export function changeBy(logs: readonly Located[]) {
  const last = inOrder(logs).at(-1) ?? missing('a change')
  return { changed_block: last.blockNumber, changed_at: last.at }
}

export function placeOf({ blockNumber, at, transactionHash }: Located) {
  return { block: blockNumber, at, tx: transactionHash }
}

/** Block, log index (22 bits) and which of two rows of the event (one bit). */
export function idOf({ blockNumber, logIndex }: Located, row: 0 | 1 = 0): bigint {
  return blockNumber * 2n ** 23n + BigInt(2 * logIndex + row)
}

export const dayOf = (at: bigint) => (at / 86_400n) * 86_400n
