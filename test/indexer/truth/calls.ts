/** Which functions of the protocol's contracts were called, by the transactions of the chain. */
import { type Abi, type AbiFunction, toFunctionSelector } from 'viem'
import { claimRegistryAbi } from '../../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../../abis/VaultRegistry.ts'
import type { World } from '../../support/protocol.ts'
import type { Truth } from './tables.ts'

/** Functions that only the router can call; it calls them whenever it executes or settles. */
const OF_THE_ROUTER = [
  'markRevoked',
  'reserveSlice',
  'registerAllocation',
  'recordPayment',
  'fund',
  'recordRepayment',
]

/** Successful calls by `Contract.function`, 0 of those that never happened. */
export async function countCalls({ chain, protocol }: World, truth: Truth, toBlock: bigint) {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const contracts: readonly [string, Abi, readonly string[]][] = [
    ['IssuerRegistry', issuerRegistryAbi, [protocol.issuerRegistry]],
    ['TokenRegistry', tokenRegistryAbi, [protocol.tokenRegistry]],
    ['ClaimRegistry', claimRegistryAbi, [protocol.claimRegistry]],
    ['VaultRegistry', vaultRegistryAbi, [protocol.vaultRegistry]],
    ['FinancingRouter', financingRouterAbi, [protocol.financingRouter]],
    ['FinancingVault', financingVaultAbi, truth.vault.map(({ address }) => address)],
  ]
  for (const [contract, abi, addresses] of contracts) {
    for (const item of abi.filter(changesState)) {
      counts.set(`${contract}.${item.name}`, 0)
      for (const to of addresses) names.set(to + toFunctionSelector(item), `${contract}.${item.name}`)
    }
  }
  for (let blockNumber = 0n; blockNumber <= toBlock; blockNumber += 1n) {
    const { transactions } = await chain.getBlock({ blockNumber, includeTransactions: true })
    for (const { hash, to, input } of transactions) {
      const name = names.get(`${to}${input.slice(0, 10)}`)
      if (name === undefined) continue
      const { status } = await chain.getTransactionReceipt({ hash })
      if (status === 'success') counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

function changesState(item: Abi[number]): item is AbiFunction {
  return (
    item.type === 'function' &&
    item.stateMutability !== 'view' &&
    item.stateMutability !== 'pure' &&
    !OF_THE_ROUTER.includes(item.name)
  )
}
