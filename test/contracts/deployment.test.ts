import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { startWorld } from '../support/protocol.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('the contracts point at each other', async () => {
  const { chain, protocol } = world
  const { claimRegistry, financingRouter, issuerRegistry, vaultRegistry } = protocol
  const ofRouter = (functionName: 'issuers' | 'claims' | 'vaults') =>
    chain.readContract({ abi: financingRouterAbi, address: financingRouter, functionName })
  const ofClaims = (functionName: 'issuers' | 'router') =>
    chain.readContract({ abi: claimRegistryAbi, address: claimRegistry, functionName })
  const ofVaults = (functionName: 'claims' | 'router') =>
    chain.readContract({ abi: vaultRegistryAbi, address: vaultRegistry, functionName })
  const checksummed = (...addresses: Address[]) => addresses.map((address) => getAddress(address))

  expect([await ofRouter('issuers'), await ofRouter('claims'), await ofRouter('vaults')]).toEqual(
    checksummed(issuerRegistry, claimRegistry, vaultRegistry),
  )
  const fromClaims = [await ofClaims('issuers'), await ofClaims('router')]
  expect(fromClaims).toEqual(checksummed(issuerRegistry, financingRouter))
  const fromVaults = [await ofVaults('claims'), await ofVaults('router')]
  expect(fromVaults).toEqual(checksummed(claimRegistry, financingRouter))
})

test('the same deployer gets the same addresses on every new chain', async () => {
  const another = await startWorld()
  try {
    expect(another.protocol).toEqual(world.protocol)
  } finally {
    await another.stop()
  }
})
