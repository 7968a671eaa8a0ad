import { type Address, encodeFunctionData, type Hex, maxUint256, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { Party } from '../support/parties.ts'
import { startWorld } from '../support/protocol.ts'
import {
  type ClaimTerms,
  createFundedVault,
  createVault,
  DAY,
  executeFinancing,
  FLAT_PRICING,
  OPEN_MANDATE,
  quoteOf,
  registerClaim,
  revokeClaim,
  setMandate,
  setPricing,
  travelTo,
  type VaultTerms,
} from '../support/scenario.ts'
import { dryRun, eventsOf, revertOf, send } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

async function newClaim(change: Partial<ClaimTerms> = {}): Promise<{ claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 10_000n, ...change }
  const { claimId, attestation } = await registerClaim(world, terms)
  return { claimId, dueDate: attestation.dueDate }
}

const newVault = async (terms: Omit<VaultTerms, 'token'> = {}): Promise<Address> =>
  (await createVault(world, { token: world.usd, ...terms })).vault

describe('a quote', () => {
  test('adds base, duration and premium, and rounds the discount up', async () => {
    const vault = await newVault({
      pricing: { baseDiscountBps: 100, durationBpsPerDay: 3, premiumBps: [0, 50] },
    })
    const { claimId } = await newClaim({ claimType: 1, faceValue: 1_000_003n })
    const bps = 100n + 3n * 30n + 50n
    const discountAmount = (1_000_003n * bps + 9_999n) / 10_000n
    expect(await quoteOf(world, vault, claimId, 1_000_003n)).toEqual({
      acceptable: true,
      reason: 'NONE',
      discountAmount,
      advanceAmount: 1_000_003n - discountAmount,
    })
  })

  test('charges no premium for a type beyond the end of the list', async () => {
    const vault = await newVault({ pricing: { premiumBps: [50] } })
    const { claimId } = await newClaim({ claimType: 3 })
    expect(await quoteOf(world, vault, claimId, 10_000n)).toMatchObject({ discountAmount: 100n })
  })

  test('counts whole days: the price and the duration limit change at the same second', async () => {
    const vault = await createFundedVault(world, {
      token: world.usd,
      capital: 100_000n,
      mandate: { maxDurationDays: 9 },
      pricing: { baseDiscountBps: 0, durationBpsPerDay: 1 },
    })
    const { claimId, dueDate } = await newClaim()
    const finance = () =>
      executeFinancing(world, { user: world.parties.beneficiary, claimId, vault, faceAmount: 1_000n })

    await travelTo(world, dueDate - 10n * DAY)
    expect(await quoteOf(world, vault, claimId, 10_000n)).toMatchObject({
      reason: 'DURATION_EXCEEDED',
      discountAmount: 10n,
    })
    await world.chain.setNextBlockTimestamp({ timestamp: dueDate - 10n * DAY + 1n })
    const { receipt } = await finance()
    expect(await quoteOf(world, vault, claimId, 9_000n)).toMatchObject({ reason: 'NONE', discountAmount: 9n })
    const advanced = eventsOf(receipt).find((event) => event.name === 'LegExecuted')
    expect(advanced?.args).toMatchObject({ faceAmount: 1_000n, advanceAmount: 999n })

    await travelTo(world, dueDate - 1n)
    expect(await quoteOf(world, vault, claimId, 9_000n)).toMatchObject({ reason: 'NONE', discountAmount: 0n })
  })

  test('counts whole days for the shortest duration, too', async () => {
    const vault = await newVault({ mandate: { minDurationDays: 10, maxDurationDays: 10 } })
    const { claimId, dueDate } = await newClaim()
    await travelTo(world, dueDate - 11n * DAY + 1n)
    expect(await quoteOf(world, vault, claimId, 10_000n)).toMatchObject({ reason: 'NONE' })
    await travelTo(world, dueDate - 10n * DAY)
    expect(await quoteOf(world, vault, claimId, 10_000n)).toMatchObject({ reason: 'NONE' })
    await travelTo(world, dueDate - 10n * DAY + 1n)
    expect(await quoteOf(world, vault, claimId, 10_000n)).toMatchObject({ reason: 'DURATION_BELOW_MINIMUM' })
  })

  test('has no price for an unknown claim or one that is past due', async () => {
    const vault = await newVault()
    const unpriced = { acceptable: false, discountAmount: 0n, advanceAmount: 0n }
    expect(await quoteOf(world, vault, zeroHash, 1n)).toEqual({
      ...unpriced,
      reason: 'CLAIM_NOT_FINANCEABLE',
    })
    const { claimId, dueDate } = await newClaim()
    await travelTo(world, dueDate)
    expect(await quoteOf(world, vault, claimId, 1n)).toEqual({ ...unpriced, reason: 'CLAIM_PAST_DUE' })
  })

  test('answers any amount, and a discount is never above the face', async () => {
    const vault = await newVault({ mandate: { maxDurationDays: 1 }, pricing: { durationBpsPerDay: 5_000 } })
    const { claimId } = await newClaim()
    expect(await quoteOf(world, vault, claimId, maxUint256)).toEqual({
      acceptable: false,
      reason: 'DURATION_EXCEEDED',
      discountAmount: maxUint256,
      advanceAmount: 0n,
    })
    const limitless = { minFace: 1n, maxFace: maxUint256, maxClaimFace: maxUint256 }
    const willing = await newVault({ mandate: limitless })
    expect(await quoteOf(world, willing, claimId, maxUint256)).toMatchObject({
      reason: 'FACE_EXCEEDS_REMAINING',
    })
  })

  test('of one base unit can be worth nothing, because the discount is rounded up', async () => {
    const { claimId } = await newClaim()
    expect(await quoteOf(world, await newVault(), claimId, 1n)).toMatchObject({
      acceptable: true,
      advanceAmount: 0n,
    })
  })

  test('names the reason of each refusal', async () => {
    const { issuer } = world.parties
    const { claimId } = await newClaim()
    const reasonOf = async (vault: Address, id: Hex, face: bigint) => {
      const quote = await quoteOf(world, vault, id, face)
      expect(quote.acceptable).toBe(false)
      return quote.reason
    }
    const euros = (await createVault(world, { token: world.eur })).vault
    expect(await reasonOf(euros, claimId, 1n)).toBe('TOKEN_MISMATCH')
    const otherTypes = await newVault({ mandate: { supportedTypesBitmap: 0b1110n } })
    expect(await reasonOf(otherTypes, claimId, 1n)).toBe('TYPE_NOT_SUPPORTED')
    const longTerm = await newVault({ mandate: { minDurationDays: 31 } })
    expect(await reasonOf(longTerm, claimId, 1n)).toBe('DURATION_BELOW_MINIMUM')
    const shortTerm = await newVault({ mandate: { maxDurationDays: 29 } })
    expect(await reasonOf(shortTerm, claimId, 1n)).toBe('DURATION_EXCEEDED')
    const lots = await newVault({ mandate: { minFace: 100n, maxFace: 200n } })
    expect(await reasonOf(lots, claimId, 99n)).toBe('BELOW_MINIMUM_LOT')
    expect(await reasonOf(lots, claimId, 201n)).toBe('ABOVE_MAXIMUM_LOT')
    expect(await quoteOf(world, lots, claimId, 100n)).toMatchObject({ acceptable: true })
    expect(await quoteOf(world, lots, claimId, 200n)).toMatchObject({ acceptable: true })
    expect(await reasonOf(await newVault(), claimId, 10_001n)).toBe('FACE_EXCEEDS_REMAINING')
    const diverse = await newVault({ mandate: { maxClaimFace: 300n } })
    expect(await reasonOf(diverse, claimId, 301n)).toBe('ABOVE_MAXIMUM_CLAIM_FACE')
    expect(await quoteOf(world, diverse, claimId, 300n)).toMatchObject({ acceptable: true })
    await revokeClaim(world, { issuer, claimId })
    expect(await reasonOf(await newVault(), claimId, 1n)).toBe('CLAIM_NOT_FINANCEABLE')
  })

  test('knows every claim type up to 255', async () => {
    const vault = await newVault({ mandate: { supportedTypesBitmap: 1n << 255n } })
    const { claimId } = await newClaim({ claimType: 255 })
    expect(await quoteOf(world, vault, claimId, 1n)).toMatchObject({ acceptable: true })
    const other = await newClaim({ claimType: 254 })
    expect(await quoteOf(world, vault, other.claimId, 1n)).toMatchObject({ reason: 'TYPE_NOT_SUPPORTED' })
  })
})

describe('the terms of a vault', () => {
  test('are set by its curator, each with an event that carries all of them', async () => {
    const { curator } = world.parties
    const vault = await newVault()
    const mandate = { ...OPEN_MANDATE, minFace: 5n, maxDurationDays: 90 }
    const pricing = { baseDiscountBps: 7, durationBpsPerDay: 8, premiumBps: [9, 10] }
    expect(eventsOf(await setMandate(world, { curator, vault, mandate }))).toEqual([
      { emitter: vault, name: 'MandateChanged', args: { mandate } },
    ])
    expect(eventsOf(await setPricing(world, { curator, vault, pricing }))).toEqual([
      { emitter: vault, name: 'PricingChanged', args: { pricing } },
    ])
    const read = { abi: financingVaultAbi, address: vault } as const
    expect(await world.chain.readContract({ ...read, functionName: 'mandate' })).toEqual(mandate)
    expect(await world.chain.readContract({ ...read, functionName: 'pricing' })).toEqual(pricing)
  })

  test('are set by nobody else', async () => {
    const { admin } = world.parties
    const vault = await newVault()
    const expected = { errorName: 'OwnableUnauthorizedAccount', args: [admin.address] }
    expect(await revertOf(setMandate(world, { curator: admin, vault, mandate: {} }))).toEqual(expected)
    expect(await revertOf(setPricing(world, { curator: admin, vault, pricing: {} }))).toEqual(expected)
  })

  test('change hands in two steps, the second of which the next curator takes', async () => {
    const { curator, stranger, relayer } = world.parties
    const vault = await newVault()
    const call = (as: Party, data: Hex) => send(world.chain, as, { to: vault, data })
    const abi = financingVaultAbi
    const offer = (to: Address) => encodeFunctionData({ abi, functionName: 'transferOwnership', args: [to] })
    const accept = encodeFunctionData({ abi, functionName: 'acceptOwnership' })
    const notOwner = ({ address }: Party) => ({ errorName: 'OwnableUnauthorizedAccount', args: [address] })
    const between = { previousOwner: curator.address, newOwner: stranger.address }

    expect(await revertOf(call(stranger, offer(stranger.address)))).toEqual(notOwner(stranger))
    expect(eventsOf(await call(curator, offer(stranger.address)))).toEqual([
      { emitter: vault, name: 'OwnershipTransferStarted', args: between },
    ])
    expect(await revertOf(setPricing(world, { curator: stranger, vault, pricing: {} }))).toEqual(
      notOwner(stranger),
    )
    await setPricing(world, { curator, vault, pricing: {} })
    expect(await revertOf(call(relayer, accept))).toEqual(notOwner(relayer))
    expect(eventsOf(await call(stranger, accept))).toEqual([
      { emitter: vault, name: 'OwnershipTransferred', args: between },
    ])
    await setPricing(world, { curator: stranger, vault, pricing: {} })
    expect(await revertOf(setPricing(world, { curator, vault, pricing: {} }))).toEqual(notOwner(curator))
  })

  test.each([
    { minFace: 0n },
    { minFace: 6n, maxFace: 5n },
    { minFace: 6n, maxClaimFace: 5n },
    { minDurationDays: 8, maxDurationDays: 7 },
  ])('refuse bounds that leave no room for a slice: %o', async (mandate) => {
    const vault = await newVault()
    const { curator } = world.parties
    const expected = { errorName: 'InvalidMandate', args: [] }
    expect(await revertOf(setMandate(world, { curator, vault, mandate }))).toEqual(expected)
    expect(await revertOf(newVault({ mandate }))).toEqual(expected)
  })

  test('refuse any combination that would take the whole face, from either side', async () => {
    const { curator } = world.parties
    const pricing = { baseDiscountBps: 3_000, durationBpsPerDay: 60, premiumBps: [10, 999, 20] }
    const mandate = { maxDurationDays: 100 }
    const vault = await newVault({ mandate, pricing })
    const tooExpensive = { errorName: 'InvalidPricing', args: [10_000n] }
    const moreExpensive = { ...pricing, baseDiscountBps: 3_001 }
    expect(await revertOf(setPricing(world, { curator, vault, pricing: moreExpensive }))).toEqual(
      tooExpensive,
    )
    expect(await revertOf(newVault({ mandate, pricing: moreExpensive }))).toEqual(tooExpensive)
    const longer = setMandate(world, { curator, vault, mandate: { maxDurationDays: 101 } })
    expect(await revertOf(longer)).toEqual({ errorName: 'InvalidPricing', args: [10_059n] })
  })

  test('hold a premium for each of the 256 types and not one more', async () => {
    const { curator } = world.parties
    const vault = await newVault()
    const premiums = (count: number) => ({ ...FLAT_PRICING, premiumBps: new Array<number>(count).fill(1) })
    await setPricing(world, { curator, vault, pricing: premiums(256) })
    const tooMany = setPricing(world, { curator, vault, pricing: premiums(257) })
    expect(await revertOf(tooMany)).toEqual({ errorName: 'TooManyPremiums', args: [257n] })
  })
})

describe('the funding side of a vault', () => {
  const fund = (claimId: Hex, face: bigint, advance: bigint): Hex =>
    encodeFunctionData({
      abi: financingVaultAbi,
      functionName: 'fund',
      args: [claimId, 0, world.parties.stranger.address, face, advance],
    })
  const repay = (claimId: Hex): Hex =>
    encodeFunctionData({
      abi: financingVaultAbi,
      functionName: 'recordRepayment',
      args: [claimId, 0, 1n, 1n],
    })

  test('is closed to everyone but the router', async () => {
    const vault = await createFundedVault(world, { token: world.usd, capital: 1_000n })
    const { claimId } = await newClaim()
    for (const party of [world.parties.admin, world.parties.curator]) {
      for (const data of [fund(claimId, 100n, 99n), repay(claimId)]) {
        const attempt = dryRun(world.chain, party, { to: vault, data })
        expect(await revertOf(attempt)).toEqual({ errorName: 'OnlyRouter', args: [] })
      }
    }
  })

  test('checks price and liquidity again, even for the router', async () => {
    const vault = await createFundedVault(world, { token: world.usd, capital: 1_000n })
    const { claimId } = await newClaim()
    const router = {
      ...world.parties.admin,
      kind: 'IMPERSONATED',
      address: world.protocol.financingRouter,
    } as const
    const asRouter = (data: Hex) => revertOf(dryRun(world.chain, router, { to: vault, data }))
    expect(await asRouter(fund(claimId, 100n, 100n))).toEqual({
      errorName: 'AdvanceMismatch',
      args: [100n, 99n],
    })
    expect(await asRouter(fund(claimId, 2_000n, 1_980n))).toEqual({
      errorName: 'InsufficientLiquidity',
      args: [1_980n, 1_000n],
    })
  })
})
