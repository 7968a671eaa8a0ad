import { createPublicClient, erc20Abi, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { type Chain, startWorldChain } from '../../devnet/chain.ts'
import { freePort } from '../../devnet/ports.ts'
import { buildWorld, type World } from '../../devnet/world/build-world.ts'
import { planWorld, SMALL_SCALE } from '../../devnet/world/plan-world.ts'

const STATES = ['NONE', 'ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'SETTLED', 'REVOKED', 'CLOSED']
const now = Math.floor(Date.now() / 1000)
const plan = planWorld({ seed: 3, scale: SMALL_SCALE, now })
let chain: Chain
let world: World

beforeAll(async () => {
  chain = await startWorldChain(plan, await freePort())
  world = await buildWorld(chain.rpcUrl, plan)
})
afterAll(async () => {
  await chain.stop()
})

const client = () => createPublicClient({ chain: foundry, transport: http(chain.rpcUrl), cacheTime: 0 })

describe('a world on a chain', () => {
  test('has the addresses that are committed for it', () => {
    expect(world.manifest).toEqual(loadManifest(foundry.id))
  })

  test('ends at the present, with everything planned already final', async () => {
    const latest = await client().getBlock({ blockTag: 'latest' })
    const finalized = await client().getBlock({ blockTag: 'finalized' })
    expect(Number(latest.timestamp)).toBe(now)
    expect(Number(finalized.timestamp)).toBeGreaterThan(plan.steps.at(-1)?.at ?? now)
  })

  test('leaves every claim as planned', async () => {
    const address = world.manifest.contracts.claimRegistry
    const claims = await Promise.all(
      world.claimIds.map((claimId) =>
        client().readContract({ address, abi: claimRegistryAbi, functionName: 'claim', args: [claimId] }),
      ),
    )
    const seen = claims.map(({ state, financedFaceValue, sliceCount }) => ({
      state: STATES[state],
      financedFaceValue,
      sliceCount,
    }))
    expect(seen).toEqual(plan.outcomes)
  })

  test('has its vaults where the plan says, one inactive, one with next to nothing, all covered by tokens', async () => {
    const registry = world.manifest.contracts.vaultRegistry
    for (const [index, vault] of world.vaults.entries()) {
      const { character, token } = plan.vaults[index] ?? plan.vaults[0] ?? {}
      const active = await client().readContract({
        address: registry,
        abi: vaultRegistryAbi,
        functionName: 'isActive',
        args: [vault],
      })
      expect(active).toBe(character !== 'inactive')
      const idle = await client().readContract({
        address: vault,
        abi: financingVaultAbi,
        functionName: 'fundableLiquidity',
      })
      if (character === 'nearly empty') expect(idle).toBe(87_000_000n)
      const balance = await client().readContract({
        address: world.manifest.tokens[token ?? 0]?.address ?? vault,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [vault],
      })
      expect(balance).toBe(idle)
    }
  })
})
