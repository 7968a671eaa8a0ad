/**
 * Events of one block that are alike but for a party, a value, a claim, a slice or a vault, and credits of one account
 * in two tokens.
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { type Audited, auditRows } from '../../auditor/audit.ts'
import { auditAll } from '../../auditor/audit-all.ts'
import { differs } from '../../auditor/comparison.ts'
import { entities } from '../../auditor/entities/index.ts'
import type { Page } from '../../auditor/rows.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { inOneBlock } from '../indexer/random-actions.ts'
import { deployForTest, type World } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'

let audited: AuditedWorld
beforeAll(async () => {
  audited = await startAuditedWorld(async (world) => {
    await creditInTwoTokens(world)
    await actInOneBlock(world)
    await actOnSeveralInOneBlock(world)
  })
})
afterAll(() => audited?.stop())

async function creditInTwoTokens(world: World): Promise<void> {
  const { issuer, beneficiary, payer } = world.parties
  const account = beneficiary.address
  for (const faceValue of [100n, 250n]) {
    const token = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
    await act.setTokenListed(world, { token, listed: true })
    const { claimId } = await act.registerClaim(world, { issuer, beneficiary: account, token, faceValue })
    await act.setBlocked(world, { token, account, blocked: true })
    await act.mintAndSettle(world, { payer, claimId })
  }
}

/** The last of the events counts where they state a value, and each where they are of two parties. */
async function actInOneBlock(world: World): Promise<void> {
  const { admin, issuer, otherIssuer, beneficiary, otherBeneficiary, curator, relayer } = world.parties
  const { issuerRegistry, claimRegistry, vaultRegistry, financingRouter } = world.protocol
  const { vault } = await act.createVault(world, { token: world.usd })
  const { vault: otherVault } = await act.createVault(world, { token: world.usd })
  const cancel = {
    to: financingRouter,
    data: encodeFunctionData({ abi: financingRouterAbi, functionName: 'cancelRoutes' }),
  }
  const setIssuer = (active: boolean) => {
    const args = [otherIssuer.address, active] as const
    return {
      to: issuerRegistry,
      data: encodeFunctionData({ abi: issuerRegistryAbi, functionName: 'setActive', args }),
    }
  }
  const setVault = (active: boolean) => {
    const args = [vault, active] as const
    return {
      to: vaultRegistry,
      data: encodeFunctionData({ abi: vaultRegistryAbi, functionName: 'setActive', args }),
    }
  }
  const submitTerms = (to: Address, maxDurationDays: number) => {
    const mandate = { ...act.OPEN_MANDATE, maxDurationDays }
    const args = [mandate, { ...act.FLAT_PRICING, baseDiscountBps: maxDurationDays }] as const
    return { to, data: encodeFunctionData({ abi: financingVaultAbi, functionName: 'submitTerms', args }) }
  }
  const registrations: { to: Address; data: Hex }[] = []
  for (const faceValue of [300n, 301n, 302n]) {
    const terms = { issuer, beneficiary: otherBeneficiary.address, token: world.usd, faceValue }
    const attestation = await act.attestationOf(world, terms)
    const args = [attestation, await act.signAttestation(world, issuer, attestation)] as const
    const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'register', args })
    registrations.push({ to: claimRegistry, data })
  }
  await inOneBlock(world, [
    [beneficiary, cancel],
    [otherBeneficiary, cancel],
    ...[setIssuer(false), setIssuer(true)].map((call) => [admin, call] as const),
    ...[setVault(false), setVault(true)].map((call) => [admin, call] as const),
    ...[submitTerms(vault, 20), submitTerms(vault, 40), submitTerms(otherVault, 30)].map(
      (call) => [curator, call] as const,
    ),
    ...registrations.map((call) => [relayer, call] as const),
  ])
}

/**
 * One account finances two claims from two vaults, another deposits in both. Tokens, issuers and vaults are added in
 * pairs.
 */
async function actOnSeveralInOneBlock(world: World): Promise<void> {
  const { admin, issuer, beneficiary, curator, provider, relayer, stranger, payer } = world.parties
  const { financingRouter, issuerRegistry, tokenRegistry, vaultRegistry } = world.protocol
  const token = world.usd
  const vaults: Address[] = []
  const claimIds: Hex[] = []
  for (const _ of [1, 2]) {
    const vault = await act.createFundedVault(world, { token, capital: 10_000n })
    await act.mint(world, { token, to: provider.address, amount: 100n })
    await act.approve(world, { owner: provider, token, spender: vault, amount: 100n })
    vaults.push(vault)
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 500n }
    claimIds.push((await act.registerClaim(world, terms)).claimId)
  }
  const deadline = (await act.chainTime(world)) + 300n
  const slices = claimIds.flatMap((claimId) => vaults.map((vault) => ({ claimId, vault, faceAmount: 100n })))
  const route = await act.routeOf(world, {
    user: beneficiary,
    legs: slices.filter((_, index) => index % 3 === 0),
  })
  const signature = await act.signRoute(world, beneficiary, route)
  const ofRouter = { abi: financingRouterAbi }
  await inOneBlock(world, [
    ...slices.map(({ claimId, vault, faceAmount }) => {
      const args = [claimId, vault, faceAmount, 0n, deadline] as const
      const data = encodeFunctionData({ ...ofRouter, functionName: 'executeFinancing', args })
      return [beneficiary, { to: financingRouter, data }] as const
    }),
    [
      relayer,
      {
        to: financingRouter,
        data: encodeFunctionData({ ...ofRouter, functionName: 'executeRoute', args: [route, signature] }),
        gas: 4_000_000n,
      },
    ],
    ...vaults.map((to) => {
      const args = [100n, provider.address] as const
      return [
        provider,
        { to, data: encodeFunctionData({ abi: financingVaultAbi, functionName: 'deposit', args }) },
      ] as const
    }),
    ...vaults.map((to, index) => {
      const args = [
        { ...act.OPEN_MANDATE, maxDurationDays: 20 + index },
        { ...act.FLAT_PRICING, baseDiscountBps: 120 + index },
      ] as const
      return [
        curator,
        { to, data: encodeFunctionData({ abi: financingVaultAbi, functionName: 'submitTerms', args }) },
      ] as const
    }),
  ])
  const tokens: Address[] = []
  for (const symbol of ['ONE', 'TWO'])
    tokens.push(await deployForTest(world, demoTokenAbi, demoTokenBytecode, [`Token ${symbol}`, symbol, 6]))
  const added = [
    ...tokens.map((one) => {
      const args = [one, true] as const
      return {
        to: tokenRegistry,
        data: encodeFunctionData({ abi: tokenRegistryAbi, functionName: 'setListed', args }),
      }
    }),
    ...[stranger, payer].map(({ address }) => {
      const args = [address, true] as const
      return {
        to: issuerRegistry,
        data: encodeFunctionData({ abi: issuerRegistryAbi, functionName: 'setActive', args }),
      }
    }),
    ...['First', 'Second'].map((name) => {
      const args = [token, name, 'V', curator.address, 0, act.OPEN_MANDATE, act.FLAT_PRICING] as const
      const data = encodeFunctionData({ abi: vaultRegistryAbi, functionName: 'createVault', args })
      return { to: vaultRegistry, data, gas: 6_000_000n }
    }),
  ]
  await inOneBlock(
    world,
    added.map((call) => [admin, call] as const),
  )
}

const rowsOf = async (statement: string) =>
  (await audited.owner.query<{ value: string }>(statement.replaceAll('%s', audited.schema))).rows.map(
    ({ value }) => value,
  )

it('such events are projected: cancellations of one nonce, claims of one issuer, credits, slices, deposits, and more', async () => {
  expect(await rowsOf('select nonce::text as value from %s.route_cancellation')).toEqual(['0', '0'])
  expect(await rowsOf('select count(distinct block)::text as value from %s.route_cancellation')).toEqual([
    '1',
  ])
  const numbers = `select issuer_claim_number::text as value from %s.claim where face_value between 300 and 302 order by ordinal`
  expect(await rowsOf(numbers)).toEqual(['3', '4', '5'])
  expect(await rowsOf('select amount::text as value from %s.credit order by amount')).toEqual(['100', '250'])
  const pairs = {
    allocation: ['funded_block', 'claim_id, slice_index', '6'],
    execution_leg: ['at', 'execution_id, leg_index', '6'],
    position_change: ['block', 'vault, owner', '2'],
    vault_version: ['block', 'vault', '2'],
    token: ['added_block', 'address', '2'],
    issuer: ['added_block', 'address', '2'],
    vault: ['registered_block', 'address', '2'],
  } as const
  for (const [table, [block, key, count]] of Object.entries(pairs)) {
    const several = `select count(distinct (${key}))::text as value from %s.${table} group by ${block} order by count(*) desc limit 1`
    expect([table, await rowsOf(several)]).toEqual([table, [count]])
  }
  const terms = 'select base_discount_bps::text as value from %s.vault order by base_discount_bps'
  expect(await rowsOf(terms)).toEqual(['30', '40', '100', '100', '120', '121'])
})

it('such events are audited without a difference', async () => {
  const { block, differences } = await auditAll(audited.auditor)
  expect(differences).toEqual([])
  expect(block.number).toBe(audited.block)
  // In pages of one row, each amount is read after that of another token is known.
  const credit = entities.find(({ name }) => name === 'credit')
  if (!credit) throw new Error('credits are not audited')
  let page: Page | undefined = { after: [], limit: 1 }
  while (page) {
    const { comparisons, next }: Audited = await auditRows(audited.auditor, credit, { page })
    expect(comparisons.filter(differs)).toEqual([])
    page = next
  }
})
