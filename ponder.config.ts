import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createConfig, factory } from 'ponder'
import { getAbiItem } from 'viem'
import { claimRegistryAbi } from './abis/ClaimRegistry.ts'
import { financingRouterAbi } from './abis/FinancingRouter.ts'
import { financingVaultAbi } from './abis/FinancingVault.ts'
import { issuerRegistryAbi } from './abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from './abis/TokenRegistry.ts'
import { vaultRegistryAbi } from './abis/VaultRegistry.ts'
import { loadManifest } from './deployments/manifest.ts'
import { finalizedTransport } from './indexer/finalized-transport.ts'
import { BLOCK_BYTES_MAX, createNodes, RANGE_BYTES_MAX } from './indexer/nodes.ts'
import { indexerSettings } from './settings/indexer.ts'
import { readSettings } from './settings/read.ts'

const env = readSettings(indexerSettings, process.env)
// Ponder's loader supports `import.meta.url` only.
const ownDeployments = join(dirname(fileURLToPath(import.meta.url)), 'deployments')
const { contracts, startBlock } = loadManifest(env.CHAIN_ID, env.DEPLOYMENTS_DIR ?? ownDeployments)

const nodes = createNodes({
  urls: env.RPC_URLS,
  chainId: env.CHAIN_ID,
  genesis: env.GENESIS_HASH,
  known: env.KNOWN_BLOCK,
  limits: { timeout: 10_000, maxResponseBodySize: BLOCK_BYTES_MAX, rangeBytesMax: RANGE_BYTES_MAX },
  clock: Date.now,
  pause: setTimeout,
  // In the format of Ponder's own log.
  report: (msg) => console.log(JSON.stringify({ level: 40, time: Date.now(), msg })),
})
await nodes.check()

export default createConfig({
  database: { kind: 'postgres', connectionString: env.DATABASE_URL },
  chains: {
    protocol: {
      id: env.CHAIN_ID,
      rpc: finalizedTransport({
        nodes,
        chainId: env.CHAIN_ID,
        clock: Date.now,
        verify: env.VERIFY_BLOCKS === 'yes',
      }),
      pollingInterval: env.POLLING_INTERVAL_MS,
    },
  },
  contracts: {
    IssuerRegistry: {
      chain: 'protocol',
      abi: issuerRegistryAbi,
      address: contracts.issuerRegistry,
      startBlock,
    },
    TokenRegistry: { chain: 'protocol', abi: tokenRegistryAbi, address: contracts.tokenRegistry, startBlock },
    ClaimRegistry: { chain: 'protocol', abi: claimRegistryAbi, address: contracts.claimRegistry, startBlock },
    VaultRegistry: { chain: 'protocol', abi: vaultRegistryAbi, address: contracts.vaultRegistry, startBlock },
    FinancingVault: {
      chain: 'protocol',
      abi: financingVaultAbi,
      address: factory({
        address: contracts.vaultRegistry,
        event: getAbiItem({ abi: vaultRegistryAbi, name: 'VaultRegistered' }),
        parameter: 'vault',
      }),
      startBlock,
    },
    FinancingRouter: {
      chain: 'protocol',
      abi: financingRouterAbi,
      address: contracts.financingRouter,
      startBlock,
    },
  },
})
