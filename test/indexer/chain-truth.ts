/** What the chain itself says, read from the contracts' views at one block and from their logs up to it. */
import { type Address, getContract } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { lowercase } from '../support/parties.ts'
import type { World } from '../support/protocol.ts'

export function chainTruth({ chain: client, protocol }: World, blockNumber: bigint) {
  const vaultAt = (address: Address) => getContract({ abi: financingVaultAbi, address, client })
  const registry = getContract({ abi: vaultRegistryAbi, address: protocol.vaultRegistry, client })
  const everything = { fromBlock: 0n, toBlock: blockNumber, strict: true } as const
  const claimLogs = { abi: claimRegistryAbi, address: protocol.claimRegistry, ...everything } as const
  const routerLogs = { abi: financingRouterAbi, address: protocol.financingRouter, ...everything } as const
  const issuerLogs = { abi: issuerRegistryAbi, address: protocol.issuerRegistry, ...everything } as const
  const vaultLogs = { abi: financingVaultAbi, ...everything } as const
  return {
    at: { blockNumber },
    registered: () => client.getContractEvents({ ...claimLogs, eventName: 'ClaimRegistered' }),
    stateChanges: () => client.getContractEvents({ ...claimLogs, eventName: 'ClaimStateChanged' }),
    executed: () => client.getContractEvents({ ...routerLogs, eventName: 'Executed' }),
    legs: () => client.getContractEvents({ ...routerLogs, eventName: 'LegExecuted' }),
    settled: () => client.getContractEvents({ ...routerLogs, eventName: 'ClaimSettled' }),
    issuerChanges: () => client.getContractEvents({ ...issuerLogs, eventName: 'IssuerStatusChanged' }),
    issuers: getContract({ abi: issuerRegistryAbi, address: protocol.issuerRegistry, client }),
    claims: getContract({ abi: claimRegistryAbi, address: protocol.claimRegistry, client }),
    router: getContract({ abi: financingRouterAbi, address: protocol.financingRouter, client }),
    vaultAt,

    timeOf: async (block: bigint) => (await client.getBlock({ blockNumber: block })).timestamp,
    vaults: async () => (await registry.read.vaults([0n, 100n], { blockNumber })).map(lowercase),
    capitalOf: (address: Address, block: bigint) => capitalOf(vaultAt(address), block),

    async sharesOf(vault: Address, owner: Address) {
      return vaultAt(vault).read.balanceOf([owner], { blockNumber })
    },

    /** The columns of a vault that the contracts answer for. */
    async vault(address: Address) {
      const { read } = vaultAt(address)
      const [mandate, pricing, capital] = await Promise.all([
        read.mandate({ blockNumber }),
        read.pricing({ blockNumber }),
        capitalOf(vaultAt(address), blockNumber),
      ])
      return {
        address,
        token: lowercase(await read.asset({ blockNumber })),
        curator: lowercase(await read.owner({ blockNumber })),
        name: await read.name({ blockNumber }),
        symbol: await read.symbol({ blockNumber }),
        active: await registry.read.isActive([address], { blockNumber }),
        ...mandate,
        ...pricing,
        ...capital,
        totalShares: await read.totalSupply({ blockNumber }),
      }
    },

    async deposits(address: Address) {
      return (await client.getContractEvents({ ...vaultLogs, address, eventName: 'Deposit' })).map(
        ({ args }) => args.assets,
      )
    },
    async withdrawals(address: Address) {
      return (await client.getContractEvents({ ...vaultLogs, address, eventName: 'Withdraw' })).map(
        ({ args }) => args.assets,
      )
    },
    async discountEarned(address: Address) {
      const repaid = await client.getContractEvents({ ...vaultLogs, address, eventName: 'Repaid' })
      return repaid.reduce((total, { args }) => total + args.faceAmount - args.advanceAmount, 0n)
    },
  }
}

async function capitalOf(
  { read }: ReturnType<ReturnType<typeof chainTruth>['vaultAt']>,
  blockNumber: bigint,
) {
  const [idleAssets, outstandingFace, outstandingAdvance] = await Promise.all([
    read.idleAssets({ blockNumber }),
    read.outstandingFace({ blockNumber }),
    read.outstandingAdvance({ blockNumber }),
  ])
  return { idleAssets, outstandingFace, outstandingAdvance }
}
