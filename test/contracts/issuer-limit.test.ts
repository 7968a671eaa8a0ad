/** The most face of one issuer in a vault: what counts, and what frees it. */
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  acceptTerms,
  type ClaimTerms,
  chainTime,
  createFundedVault,
  DAY,
  executeFinancing,
  FLAT_PRICING,
  mintAndPay,
  mintAndSettle,
  OPEN_MANDATE,
  quoteOf,
  registerClaim,
  releaseRepayment,
  revokeClaim,
  setBlocked,
  setMandate,
  setTokenListed,
  submitTerms,
  travelTo,
  vaultCapital,
  withdraw,
} from '../support/scenario.ts'
import { revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let token: Address
beforeAll(async () => {
  world = await startWorld()
  token = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
})
afterAll(() => world.stop())

const MOST = 1_000n

async function newClaim(change: Partial<ClaimTerms> = {}): Promise<{ claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: MOST, ...change }
  const { claimId, attestation } = await registerClaim(world, terms)
  return { claimId, dueDate: attestation.dueDate }
}

const newVault = (noticePeriod = 0) =>
  createFundedVault(world, { token, capital: 100_000n, noticePeriod, mandate: { maxIssuerFace: MOST } })

const finance = (vault: Address, claimId: Hex, faceAmount: bigint) =>
  executeFinancing(world, { user: world.parties.beneficiary, claimId, vault, faceAmount })

function owedTo(vault: Address, { address } = world.parties.issuer): Promise<bigint> {
  const read = { abi: financingVaultAbi, address: vault, functionName: 'outstandingFaceOf' } as const
  return world.chain.readContract({ ...read, args: [address] })
}

/** Asserts that a new claim of the issuer is financed for `room` and not for a unit more. */
async function expectRoom(vault: Address, room: bigint, issuer = world.parties.issuer): Promise<void> {
  expect(await owedTo(vault, issuer)).toBe(MOST - room)
  const { claimId } = await newClaim({ issuer, faceValue: MOST + 1n })
  const exceeded = { errorName: 'AboveMaximumIssuerFace', args: [claimId, vault, room + 1n] }
  expect(await revertOf(finance(vault, claimId, room + 1n))).toEqual(exceeded)
  expect(await quoteOf(world, vault, claimId, room + 1n)).toMatchObject({
    reason: 'ABOVE_MAXIMUM_ISSUER_FACE',
  })
  if (room > 0n) expect(await quoteOf(world, vault, claimId, room)).toMatchObject({ reason: 'NONE' })
}

describe('the face that an issuer owes a vault', () => {
  test('is not lower after the decline of its value, and lower by the part of a payment that the vault gets', async () => {
    const { payer } = world.parties
    const vault = await newVault()
    const { claimId, dueDate } = await newClaim()
    await finance(vault, claimId, 600n)
    for (const days of [0n, 46n, 200n]) {
      await travelTo(world, dueDate + days * DAY)
      await expectRoom(vault, 400n)
    }
    // The vault has 600 of each 1 000 that are paid.
    await mintAndPay(world, { payer, claimId, faceAmount: 500n })
    await expectRoom(vault, 700n)
    await mintAndSettle(world, { payer, claimId })
    await expectRoom(vault, MOST)
  })

  test('is not lower while the router holds a payment of it', async () => {
    const { payer, stranger: sender } = world.parties
    const vault = await newVault()
    const { claimId, dueDate } = await newClaim()
    await finance(vault, claimId, 600n)
    await travelTo(world, dueDate)
    await setBlocked(world, { token, account: vault, blocked: true })
    await mintAndSettle(world, { payer, claimId })
    await setBlocked(world, { token, account: vault, blocked: false })
    await expectRoom(vault, 400n)
    await releaseRepayment(world, { sender, claimId, sliceIndex: 0 })
    await expectRoom(vault, MOST)
  })

  test('counts claims that are closed, and is lower after an early payment', async () => {
    const { issuer, payer } = world.parties
    const vault = await newVault()
    const { claimId } = await newClaim()
    await finance(vault, claimId, 300n)
    await finance(vault, claimId, 200n)
    await revokeClaim(world, { issuer, claimId })
    await expectRoom(vault, 500n)
    await mintAndSettle(world, { payer, claimId })
    await expectRoom(vault, MOST)
  })

  test('is counted for each address of an issuer alone', async () => {
    const { otherIssuer } = world.parties
    const vault = await newVault()
    const { claimId } = await newClaim()
    await finance(vault, claimId, MOST)
    await expectRoom(vault, 0n)
    await expectRoom(vault, MOST, otherIssuer)
  })

  test('can be above a limit that terms lower at once: nothing is financed, and all else goes on', async () => {
    const { curator, payer, provider } = world.parties
    const vault = await newVault()
    const { claimId, dueDate } = await newClaim()
    await finance(vault, claimId, 600n)
    await setMandate(world, { curator, vault, mandate: { maxIssuerFace: 100n } })
    const next = (await newClaim()).claimId
    const exceeded = { errorName: 'AboveMaximumIssuerFace', args: [next, vault, 1n] }
    expect(await revertOf(finance(vault, next, 1n))).toEqual(exceeded)
    await withdraw(world, { provider, vault, assets: 1_000n })
    await travelTo(world, dueDate)
    await mintAndPay(world, { payer, claimId, faceAmount: 500n })
    expect(await owedTo(vault)).toBe(300n)
    await mintAndSettle(world, { payer, claimId })
    expect(await vaultCapital(world, vault)).toMatchObject({ outstandingFace: 0n })
    await finance(vault, (await newClaim()).claimId, 100n)
  })

  test('has its wider limit after the notice, and the present one until anyone accepts the terms', async () => {
    const { curator, stranger: sender } = world.parties
    const vault = await newVault(100_000)
    const { claimId } = await newClaim()
    await finance(vault, claimId, MOST)
    const mandate = { ...OPEN_MANDATE, maxIssuerFace: MOST + 1n }
    await submitTerms(world, { curator, vault, mandate, pricing: FLAT_PRICING })
    await travelTo(world, (await chainTime(world)) + 100_000n)
    await expectRoom(vault, 0n)
    await acceptTerms(world, { sender, vault })
    await finance(vault, (await newClaim()).claimId, 1n)
  })
})

test('a financing that fails in the token leaves what the issuer owes', async () => {
  const { beneficiary } = world.parties
  const vault = await newVault()
  const { claimId } = await newClaim()
  await setBlocked(world, { token, account: beneficiary.address, blocked: true })
  expect(await revertOf(finance(vault, claimId, MOST))).toMatchObject({ errorName: 'AccountBlocked' })
  await setBlocked(world, { token, account: beneficiary.address, blocked: false })
  await expectRoom(vault, MOST)
})
