import { type Address, encodeFunctionData, getAddress, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { vaultDeployerAbi } from '../../abis/VaultDeployer.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { vaultDeployerOf } from '../../contracts/protocol.ts'
import { vaultDeployerCode } from '../../contracts/runtime-code.ts'
import { startWorld } from '../support/protocol.ts'
import {
  createVault,
  FLAT_PRICING,
  OPEN_MANDATE,
  pauseRouter,
  setIssuerActive,
  setVaultActive,
  unpauseRouter,
} from '../support/scenario.ts'
import { dryRun, eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const unauthorized = (caller: Address, role: string) => ({
  errorName: 'AccessControlUnauthorizedAccount',
  args: [caller, keccak256(toHex(role))],
})

describe('the issuer registry', () => {
  const isActive = (issuer: Address) =>
    world.chain.readContract({
      abi: issuerRegistryAbi,
      address: world.protocol.issuerRegistry,
      functionName: 'isActive',
      args: [issuer],
    })

  test('switches an issuer on and off, with an event each time', async () => {
    const issuer = world.parties.stranger.address
    expect(await isActive(issuer)).toBe(false)
    for (const active of [true, false]) {
      expect(eventsOf(await setIssuerActive(world, { issuer, active }))).toEqual([
        { emitter: world.protocol.issuerRegistry, name: 'IssuerStatusChanged', args: { issuer, active } },
      ])
      expect(await isActive(issuer)).toBe(active)
    }
  })

  test('refuses a change that changes nothing, the zero address, and everyone but the admin', async () => {
    const { issuer, stranger } = world.parties
    for (const [address, active] of [
      [issuer.address, true],
      [stranger.address, false],
    ] as const) {
      const unchanged = { errorName: 'IssuerStatusUnchanged', args: [address, active] }
      expect(await revertOf(setIssuerActive(world, { issuer: address, active }))).toEqual(unchanged)
    }
    const nobody = setIssuerActive(world, { issuer: zeroAddress, active: true })
    expect(await revertOf(nobody)).toEqual({ errorName: 'InvalidIssuer', args: [] })
    const byStranger = setIssuerActive(world, { issuer: issuer.address, active: false, as: stranger })
    expect(await revertOf(byStranger)).toEqual(unauthorized(stranger.address, 'ISSUER_MANAGER_ROLE'))
  })
})

describe('the vault registry', () => {
  const read = (functionName: 'isActive' | 'isRegistered', vault: Address) =>
    world.chain.readContract({
      abi: vaultRegistryAbi,
      address: world.protocol.vaultRegistry,
      functionName,
      args: [vault],
    })

  test('creates a vault that is active, tied to the protocol and owned by its curator', async () => {
    const { curator } = world.parties
    const { vault, receipt } = await createVault(world, {
      token: world.usd,
      name: 'Short Notes',
      symbol: 'vSN',
      noticePeriod: 3_600,
    })
    expect(eventsOf(receipt).filter((event) => event.emitter === world.protocol.vaultRegistry)).toEqual([
      {
        emitter: world.protocol.vaultRegistry,
        name: 'VaultRegistered',
        args: {
          vault,
          token: world.usd,
          curator: curator.address,
          name: 'Short Notes',
          symbol: 'vSN',
          noticePeriod: 3_600,
          mandate: OPEN_MANDATE,
          pricing: FLAT_PRICING,
        },
      },
      {
        emitter: world.protocol.vaultRegistry,
        name: 'VaultStatusChanged',
        args: { vault, active: true },
      },
    ])
    expect([await read('isActive', vault), await read('isRegistered', vault)]).toEqual([true, true])
    const notice = { abi: financingVaultAbi, address: vault, functionName: 'noticePeriod' } as const
    expect(await world.chain.readContract(notice)).toBe(3_600)
    const of = (functionName: 'router' | 'claims' | 'owner' | 'asset') =>
      world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName })
    expect(await of('router')).toBe(getAddress(world.protocol.financingRouter))
    expect(await of('claims')).toBe(getAddress(world.protocol.claimRegistry))
    expect(await of('owner')).toBe(getAddress(curator.address))
    expect(await of('asset')).toBe(getAddress(world.usd))
  })

  test('alone lets its deployer create vaults', async () => {
    const { admin } = world.parties
    const deployer = vaultDeployerOf(world.protocol.vaultRegistry)
    const setup = {
      token: world.usd,
      name: 'Stray',
      symbol: 'S',
      curator: admin.address,
      noticePeriod: 0,
      terms: { mandate: OPEN_MANDATE, pricing: FLAT_PRICING },
    }
    const args = [setup] as const
    const data = encodeFunctionData({ abi: vaultDeployerAbi, functionName: 'deploy', args })
    expect(await revertOf(dryRun(world.chain, admin, { to: deployer, data }))).toEqual({
      errorName: 'OnlyRegistry',
      args: [],
    })
    expect(await world.chain.getCode({ address: deployer })).toBe(
      vaultDeployerCode(world.protocol.vaultRegistry),
    )
  })

  test.each([
    ['up to the first zero byte', 'Safe\u0000 Notes', 'Safe'],
    ['empty where a zero byte is first', '\u0000Notes', ''],
    ['at 64 bytes', 'x'.repeat(65), 'x'.repeat(64)],
    ['not at all below', 'x'.repeat(64), 'x'.repeat(64)],
    ['before a character of which 64 bytes have a part', '₮'.repeat(30), '₮'.repeat(21)],
  ])('cuts name and symbol of a vault %s', async (_, given, shown) => {
    const { vault, receipt } = await createVault(world, { token: world.usd, name: given, symbol: given })
    const registered = eventsOf(receipt).find(({ name }) => name === 'VaultRegistered')
    expect(registered?.args).toMatchObject({ name: shown, symbol: shown })
    for (const functionName of ['name', 'symbol'] as const) {
      const text = await world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName })
      expect(text).toBe(shown)
    }
  })

  test('switches a vault off and on, and refuses unknown vaults, empty changes and everyone but the admin', async () => {
    const { stranger } = world.parties
    const { vault } = await createVault(world, { token: world.usd })
    for (const active of [false, true]) {
      expect(eventsOf(await setVaultActive(world, { vault, active }))).toEqual([
        { emitter: world.protocol.vaultRegistry, name: 'VaultStatusChanged', args: { vault, active } },
      ])
      expect(await read('isActive', vault)).toBe(active)
      expect(await revertOf(setVaultActive(world, { vault, active }))).toEqual({
        errorName: 'VaultStatusUnchanged',
        args: [vault, active],
      })
    }
    const unknown = setVaultActive(world, { vault: stranger.address, active: true })
    expect(await revertOf(unknown)).toEqual({ errorName: 'UnknownVault', args: [stranger.address] })
    const byStranger = setVaultActive(world, { vault, active: false, as: stranger })
    expect(await revertOf(byStranger)).toEqual(unauthorized(stranger.address, 'VAULT_MANAGER_ROLE'))
  })

  test('creates vaults for the admin alone, and of listed tokens', async () => {
    const { curator, stranger } = world.parties
    const byCurator = createVault(world, { token: world.usd, as: curator })
    expect(await revertOf(byCurator)).toEqual(unauthorized(curator.address, 'VAULT_MANAGER_ROLE'))
    const noToken = createVault(world, { token: stranger.address })
    expect(await revertOf(noToken)).toEqual({ errorName: 'TokenNotListed', args: [stranger.address] })
  })

  test('pages through the vaults in the order of their registration', async () => {
    const { vault: last } = await createVault(world, { token: world.eur })
    const registry = { abi: vaultRegistryAbi, address: world.protocol.vaultRegistry } as const
    const page = (offset: bigint, limit: bigint) =>
      world.chain.readContract({ ...registry, functionName: 'vaults', args: [offset, limit] })
    const count = await world.chain.readContract({ ...registry, functionName: 'vaultCount' })
    const most = 2n ** 256n - 1n
    const all = await page(0n, most)

    expect(BigInt(all.length)).toBe(count)
    expect(all.at(-1)).toBe(getAddress(last))
    expect([...(await page(0n, 1n)), ...(await page(1n, most))]).toEqual(all)
    for (const limit of [5n, most]) expect(await page(count - 1n, limit)).toEqual(all.slice(-1))
    for (const offset of [count, count + 1n, most]) {
      for (const limit of [5n, most]) expect(await page(offset, limit)).toEqual([])
    }
    expect(await page(0n, 0n)).toEqual([])
  })
})

test('the router is paused and resumed by the admin alone', async () => {
  const { admin, stranger } = world.parties
  const at = { emitter: world.protocol.financingRouter, args: { account: admin.address } }
  expect(await revertOf(pauseRouter(world, { as: stranger }))).toEqual(
    unauthorized(stranger.address, 'PAUSER_ROLE'),
  )
  expect(eventsOf(await pauseRouter(world))).toEqual([{ ...at, name: 'Paused' }])
  expect(await revertOf(unpauseRouter(world, { as: stranger }))).toEqual(
    unauthorized(stranger.address, 'PAUSER_ROLE'),
  )
  expect(eventsOf(await unpauseRouter(world))).toEqual([{ ...at, name: 'Unpaused' }])
})
