/** Events of one block that are alike but for a party or a value, and credits of one account in two tokens. */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { type Audited, auditRows } from '../../auditor/audit.ts'
import { auditAll } from '../../auditor/audit-all.ts'
import { differs } from '../../auditor/comparison.ts'
import { entities } from '../../auditor/entities/index.ts'
import type { Page } from '../../auditor/rows.ts'
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

const rowsOf = async (statement: string) =>
  (await audited.owner.query<{ value: string }>(statement.replaceAll('%s', audited.schema))).rows.map(
    ({ value }) => value,
  )

it('such events are projected: two cancellations of one nonce, the claims of one issuer, and two credits', async () => {
  expect(await rowsOf('select nonce::text as value from %s.route_cancellation')).toEqual(['0', '0'])
  expect(await rowsOf('select count(distinct block)::text as value from %s.route_cancellation')).toEqual([
    '1',
  ])
  const numbers = `select issuer_claim_number::text as value from %s.claim where face_value >= 300 order by ordinal`
  expect(await rowsOf(numbers)).toEqual(['3', '4', '5'])
  expect(await rowsOf('select amount::text as value from %s.credit order by amount')).toEqual(['100', '250'])
  const terms = 'select base_discount_bps::text as value from %s.vault order by 1'
  expect(await rowsOf(terms)).toEqual(['30', '40'])
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
