import { type Address, encodeFunctionData, type Hex, maxUint256, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { Party } from '../support/parties.ts'
import { startWorld } from '../support/protocol.ts'
import {
  acceptTerms,
  type ClaimTerms,
  chainTime,
  createFundedVault,
  createVault,
  DAY,
  executeFinancing,
  FLAT_PRICING,
  OPEN_MANDATE,
  quoteOf,
  registerClaim,
  revokeClaim,
  revokeTerms,
  setMandate,
  setPricing,
  submitTerms,
  travelTo,
  type VaultTerms,
  withdraw,
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
    const careful = await newVault({ mandate: { maxIssuerFace: 400n } })
    expect(await reasonOf(careful, claimId, 401n)).toBe('ABOVE_MAXIMUM_ISSUER_FACE')
    expect(await quoteOf(world, careful, claimId, 400n)).toMatchObject({ acceptable: true })
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

/** Seconds. */
const NOTICE = 86_400
const LOW_PRICING = { baseDiscountBps: 7, durationBpsPerDay: 8, premiumBps: [9, 10] }
const NONE_PENDING = { errorName: 'NoPendingTerms', args: [] }

/** The events of terms that take effect. */
function inEffect(vault: Address, { mandate, pricing }: { mandate: object; pricing: object }) {
  return [
    { emitter: vault, name: 'MandateChanged', args: { mandate } },
    { emitter: vault, name: 'PricingChanged', args: { pricing } },
  ]
}

/** Present terms, and those that are pending. */
async function termsOf(vault: Address) {
  const read = { abi: financingVaultAbi, address: vault } as const
  const [mandate, pricing, effectiveAt] = await world.chain.readContract({
    ...read,
    functionName: 'pendingTerms',
  })
  return {
    mandate: await world.chain.readContract({ ...read, functionName: 'mandate' }),
    pricing: await world.chain.readContract({ ...read, functionName: 'pricing' }),
    pending: effectiveAt === 0n ? undefined : { mandate, pricing, effectiveAt },
  }
}

describe('the terms of a vault', () => {
  test('take effect at once in a vault without a notice, with an event for mandate and pricing', async () => {
    const { curator } = world.parties
    const vault = await newVault()
    const terms = { mandate: { ...OPEN_MANDATE, maxDurationDays: 900 }, pricing: LOW_PRICING }
    expect(eventsOf(await submitTerms(world, { curator, vault, ...terms }))).toEqual(inEffect(vault, terms))
    expect(await termsOf(vault)).toEqual({ ...terms, pending: undefined })
  })

  test('are submitted by nobody but the curator', async () => {
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
    ['the longest duration', { mandate: { maxDurationDays: 366 } }],
    ['the shortest duration', { mandate: { minDurationDays: 9 } }],
    ['a claim type', { mandate: { supportedTypesBitmap: 0b11111n } }],
    ['the smallest lot', { mandate: { minFace: 9n } }],
    ['the largest lot', { mandate: { maxFace: 10n ** 30n + 1n } }],
    ['the most of a claim', { mandate: { maxClaimFace: 2n ** 128n } }],
    ['the most of an issuer', { mandate: { maxIssuerFace: 10n ** 30n + 1n } }],
    ['the base discount', { pricing: { baseDiscountBps: 99 } }],
    ['the discount per day', { pricing: { durationBpsPerDay: 1 } }],
    ['a premium', { pricing: { premiumBps: [5, 4, 6] } }],
    ['a premium that is left out', { pricing: { premiumBps: [5] } }],
  ])('wait for the notice if they loosen %s alone, while tighter ones do not', async (_, looser) => {
    const { curator, stranger } = world.parties
    const present = {
      mandate: { ...OPEN_MANDATE, minDurationDays: 10, minFace: 10n, maxIssuerFace: 10n ** 30n },
      pricing: { baseDiscountBps: 100, durationBpsPerDay: 2, premiumBps: [5, 5] },
    }
    const vault = await newVault({ ...present, noticePeriod: NOTICE })
    const tighter = {
      mandate: {
        supportedTypesBitmap: 0b111n,
        minDurationDays: 11,
        maxDurationDays: 364,
        minFace: 11n,
        maxFace: 10n ** 29n,
        maxClaimFace: 10n ** 30n,
        maxIssuerFace: 10n ** 29n,
      },
      pricing: { baseDiscountBps: 101, durationBpsPerDay: 3, premiumBps: [6, 5, 7] },
    }
    const terms = {
      mandate: { ...tighter.mandate, ...('mandate' in looser ? looser.mandate : {}) },
      pricing: { ...tighter.pricing, ...('pricing' in looser ? looser.pricing : {}) },
    }
    const submitted = await submitTerms(world, { curator, vault, ...terms })
    const effectiveAt = (await chainTime(world)) + BigInt(NOTICE)
    expect(eventsOf(submitted)).toEqual([
      { emitter: vault, name: 'TermsSubmitted', args: { ...terms, effectiveAt } },
    ])
    expect(await termsOf(vault)).toEqual({ ...present, pending: { ...terms, effectiveAt } })

    // Tighter terms replace both.
    const tightened = await submitTerms(world, { curator, vault, ...tighter })
    expect(eventsOf(tightened)).toEqual(inEffect(vault, tighter))
    expect(await termsOf(vault)).toEqual({ ...tighter, pending: undefined })
    expect(await revertOf(acceptTerms(world, { sender: stranger, vault }))).toEqual(NONE_PENDING)
  })

  test('are put into effect by anyone, not a second before the end of the notice', async () => {
    const { curator, stranger } = world.parties
    const vault = await newVault({ noticePeriod: NOTICE })
    const present = { mandate: OPEN_MANDATE, pricing: FLAT_PRICING }
    const first = { mandate: { ...OPEN_MANDATE, maxDurationDays: 1_200 }, pricing: LOW_PRICING }
    const terms = { ...first, mandate: { ...OPEN_MANDATE, maxDurationDays: 900 } }
    await submitTerms(world, { curator, vault, ...first })
    // A second submission replaces the first, and its notice begins anew.
    await travelTo(world, (await chainTime(world)) + 1_000n)
    await submitTerms(world, { curator, vault, ...terms })
    const effectiveAt = (await chainTime(world)) + BigInt(NOTICE)

    await world.chain.setNextBlockTimestamp({ timestamp: effectiveAt - 1n })
    const early = acceptTerms(world, { sender: stranger, vault })
    expect(await revertOf(early)).toEqual({
      errorName: 'NoticeNotOver',
      args: [effectiveAt, effectiveAt - 1n],
    })
    expect(await termsOf(vault)).toMatchObject(present)
    await world.chain.setNextBlockTimestamp({ timestamp: effectiveAt })
    expect(eventsOf(await acceptTerms(world, { sender: stranger, vault }))).toEqual(inEffect(vault, terms))
    expect(await termsOf(vault)).toEqual({ ...terms, pending: undefined })
    expect(await revertOf(acceptTerms(world, { sender: stranger, vault }))).toEqual(NONE_PENDING)
  })

  test('are taken back by the curator alone, also after the notice', async () => {
    const { curator, stranger } = world.parties
    const vault = await newVault({ noticePeriod: NOTICE })
    expect(await revertOf(revokeTerms(world, { curator, vault }))).toEqual(NONE_PENDING)
    await submitTerms(world, { curator, vault, mandate: OPEN_MANDATE, pricing: LOW_PRICING })
    await travelTo(world, (await chainTime(world)) + BigInt(NOTICE))
    expect(await revertOf(revokeTerms(world, { curator: stranger, vault }))).toEqual({
      errorName: 'OwnableUnauthorizedAccount',
      args: [stranger.address],
    })
    expect(eventsOf(await revokeTerms(world, { curator, vault }))).toEqual([
      { emitter: vault, name: 'TermsRevoked', args: undefined },
    ])
    expect(await termsOf(vault)).toEqual({
      mandate: OPEN_MANDATE,
      pricing: FLAT_PRICING,
      pending: undefined,
    })
    expect(await revertOf(acceptTerms(world, { sender: stranger, vault }))).toEqual(NONE_PENDING)
  })

  test('leave a holder the time to withdraw before a claim of ten years at 0 % takes the capital', async () => {
    const { curator, provider, beneficiary } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 10_000n, noticePeriod: NOTICE })
    const { claimId } = await newClaim({ dueDate: (await chainTime(world)) + 3_650n * DAY })
    const free = { ...FLAT_PRICING, baseDiscountBps: 0 }
    const mandate = { ...OPEN_MANDATE, maxDurationDays: 3_650 }
    await submitTerms(world, { curator, vault, mandate, pricing: free })
    const finance = () => executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 9_000n })
    expect(await revertOf(finance())).toMatchObject({ errorName: 'DurationExceeded' })

    await withdraw(world, { provider, vault, assets: 10_000n })
    await travelTo(world, (await chainTime(world)) + BigInt(NOTICE))
    await acceptTerms(world, { sender: curator, vault })
    expect(await revertOf(finance())).toMatchObject({ errorName: 'InsufficientLiquidity' })
  })

  test.each([
    { minFace: 0n },
    { minFace: 6n, maxFace: 5n },
    { minFace: 6n, maxClaimFace: 5n },
    { minFace: 6n, maxIssuerFace: 5n },
    { minDurationDays: 8, maxDurationDays: 7 },
  ])('refuse bounds that leave no room for a slice: %o', async (mandate) => {
    const vault = await newVault()
    const { curator } = world.parties
    const expected = { errorName: 'InvalidMandate', args: [] }
    expect(await revertOf(setMandate(world, { curator, vault, mandate }))).toEqual(expected)
    expect(await revertOf(newVault({ mandate }))).toEqual(expected)
  })

  test('may leave room for one face and one duration alone', async () => {
    const lot = { minFace: 6n, maxFace: 6n, maxClaimFace: 6n, maxIssuerFace: 6n }
    const mandate = { ...lot, minDurationDays: 30, maxDurationDays: 30 }
    const vault = await newVault({ mandate })
    const { claimId } = await newClaim()
    expect(await quoteOf(world, vault, claimId, 6n)).toMatchObject({ acceptable: true })
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
