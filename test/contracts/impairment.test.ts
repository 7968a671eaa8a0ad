/** Losses: overdue slices are written down, later payments are recoveries. */
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld } from '../support/protocol.ts'
import {
  balanceOf,
  createFundedVault,
  DAY,
  executeFinancing,
  impair,
  inDays,
  mintAndSettle,
  redeem,
  registerClaim,
  repayAndRevoke,
  transferShares,
  travelDays,
  travelTo,
  vaultCapital,
} from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

type Debt = { vault: Address; claimId: Hex; dueDate: bigint }

/** A vault of 100 000 that has advanced 49 500 for a face of 50 000 of one claim. */
async function vaultWithDebt(): Promise<Debt> {
  const { issuer, beneficiary } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 100_000n })
  const dueDate = await inDays(world, 10)
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 50_000n, dueDate }
  const { claimId } = await registerClaim(world, terms)
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 50_000n })
  return { vault, claimId, dueDate }
}

const byCurator = ({ vault, claimId }: Debt, carryingValue: bigint, sliceIndex = 0) =>
  impair(world, { caller: world.parties.curator, vault, claimId, sliceIndex, carryingValue })
const byAnyone = ({ vault, claimId }: Debt, carryingValue: bigint) =>
  impair(world, { caller: world.parties.stranger, vault, claimId, sliceIndex: 0, carryingValue })

test('a holder who leaves after an impairment leaves with its share of the loss', async () => {
  const { provider, stranger } = world.parties
  const debt = await vaultWithDebt()
  await transferShares(world, { from: provider, vault: debt.vault, to: stranger.address, shares: 50_000n })
  await travelTo(world, debt.dueDate + 30n * DAY)
  await byCurator(debt, 0n)

  const before = await balanceOf(world, world.usd, stranger.address)
  await redeem(world, { provider: stranger, vault: debt.vault, shares: 50_000n })

  // 50 500 of 100 000 are left: half of them to each holder.
  expect((await balanceOf(world, world.usd, stranger.address)) - before).toBe(25_250n)
  expect(await vaultCapital(world, debt.vault)).toMatchObject({ idleAssets: 25_250n, totalAssets: 25_250n })
})

describe('an impairment', () => {
  test('by the curator is possible from 30 days after the due date, to any lower value, again and again', async () => {
    const debt = await vaultWithDebt()
    const possibleFrom = debt.dueDate + 30n * DAY
    await world.chain.setNextBlockTimestamp({ timestamp: possibleFrom - 1n })
    expect(await revertOf(byCurator(debt, 20_000n))).toEqual({
      errorName: 'ImpairmentTooEarly',
      args: [debt.claimId, possibleFrom, possibleFrom - 1n],
    })
    await world.chain.setNextBlockTimestamp({ timestamp: possibleFrom })
    const receipt = await byCurator(debt, 20_000n)
    expect(eventsOf(receipt)).toEqual([
      {
        emitter: debt.vault,
        name: 'AllocationImpaired',
        args: {
          claimId: debt.claimId,
          sliceIndex: 0,
          faceAmount: 50_000n,
          advanceAmount: 49_500n,
          loss: 29_500n,
          carryingValue: 20_000n,
        },
      },
    ])
    expect(await vaultCapital(world, debt.vault)).toMatchObject({
      idleAssets: 50_500n,
      outstandingFace: 50_000n,
      outstandingAdvance: 49_500n,
      outstandingImpairment: 29_500n,
      totalAssets: 70_500n,
      fundableLiquidity: 50_500n,
    })
    expect(await revertOf(byCurator(debt, 20_000n))).toEqual({
      errorName: 'CarryingValueNotLower',
      args: [20_000n, 20_000n],
    })
    await byCurator(debt, 19_999n)
    expect(await vaultCapital(world, debt.vault)).toMatchObject({ outstandingImpairment: 29_501n })
  })

  test('by anyone is possible from 90 days after the due date, to zero only', async () => {
    const debt = await vaultWithDebt()
    const possibleFrom = debt.dueDate + 90n * DAY
    await world.chain.setNextBlockTimestamp({ timestamp: possibleFrom - 1n })
    expect(await revertOf(byAnyone(debt, 0n))).toMatchObject({ errorName: 'ImpairmentTooEarly' })
    await world.chain.setNextBlockTimestamp({ timestamp: possibleFrom })
    expect(await revertOf(byAnyone(debt, 1n))).toEqual({
      errorName: 'OwnableUnauthorizedAccount',
      args: [world.parties.stranger.address],
    })
    await byAnyone(debt, 0n)
    expect(await vaultCapital(world, debt.vault)).toMatchObject({
      outstandingImpairment: 49_500n,
      totalAssets: 50_500n,
    })
  })

  test('is refused for a slice that the vault did not finance, and one that is paid', async () => {
    const [debt, other] = [await vaultWithDebt(), await vaultWithDebt()]
    await travelDays(world, 100)
    const refusal = (sliceIndex: bigint) => ({
      errorName: 'NotOutstanding',
      args: [debt.claimId, sliceIndex],
    })
    expect(await revertOf(byCurator({ ...debt, vault: other.vault }, 0n))).toEqual(refusal(0n))
    expect(await revertOf(byCurator(debt, 0n, 1))).toEqual(refusal(1n))
    await mintAndSettle(world, { payer: world.parties.payer, claimId: debt.claimId })
    expect(await revertOf(byCurator(debt, 0n))).toEqual(refusal(0n))
    await repayAndRevoke(world, { issuer: world.parties.issuer, claimId: other.claimId })
    expect(await revertOf(byCurator(other, 0n))).toMatchObject({ errorName: 'NotOutstanding' })
  })

  test('consumes gains that are locked first', async () => {
    const { payer, issuer, beneficiary } = world.parties
    const debt = await vaultWithDebt()
    await travelTo(world, debt.dueDate + 20n * DAY)
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 30_000n }
    const { claimId } = await registerClaim(world, { ...terms, dueDate: await inDays(world, 9) })
    await executeFinancing(world, { user: beneficiary, claimId, vault: debt.vault, faceAmount: 30_000n })
    await travelTo(world, debt.dueDate + 30n * DAY)
    await mintAndSettle(world, { payer, claimId })
    const before = await vaultCapital(world, debt.vault)
    expect(before.lockedProfit).toBe(300n)

    await byCurator(debt, 49_400n)
    const after = await vaultCapital(world, debt.vault)
    expect(after.totalAssets - before.totalAssets).toBeLessThanOrEqual(1n)
    expect(before.lockedProfit - after.lockedProfit).toBeGreaterThanOrEqual(100n)

    await byCurator(debt, 0n)
    const end = await vaultCapital(world, debt.vault)
    expect(end).toMatchObject({ lockedProfit: 0n, totalAssets: 50_800n })
  })
})

describe('a payment of an impaired slice', () => {
  test('is a recovery that unlocks as a gain', async () => {
    const debt = await vaultWithDebt()
    await travelTo(world, debt.dueDate + 30n * DAY)
    await byCurator(debt, 10_000n)
    const { totalAssets } = await vaultCapital(world, debt.vault)

    const receipt = await mintAndSettle(world, { payer: world.parties.payer, claimId: debt.claimId })

    const named = eventsOf(receipt).filter(({ name }) => name === 'AllocationRecovered')
    expect(named.map(({ args }) => args)).toEqual([
      { claimId: debt.claimId, sliceIndex: 0, faceAmount: 50_000n, impairment: 39_500n },
    ])
    expect(await vaultCapital(world, debt.vault)).toMatchObject({
      idleAssets: 100_500n,
      outstandingAdvance: 0n,
      outstandingImpairment: 0n,
      lockedProfit: 40_000n,
      totalAssets,
    })
    await travelDays(world, 30)
    expect(await vaultCapital(world, debt.vault)).toMatchObject({ totalAssets: 100_500n, lockedProfit: 0n })
  })
})
