/**
 * Gains reach those who hold shares while they unlock: entering for a moment, or before others leave, brings nothing.
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  chainTime,
  createFundedVault,
  DAY,
  deposit,
  executeFinancing,
  impair,
  inDays,
  mint,
  mintAndSettle,
  redeem,
  registerClaim,
  travelTo,
  vaultCapital,
} from '../support/scenario.ts'
import { minedReceipt } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const PERIOD = 30n * DAY

/** Finances `faceAmount` of a claim that is due in some days, at 1 % discount. */
async function finance(
  vault: Address,
  faceAmount: bigint,
  days = 5,
): Promise<{ claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const dueDate = await inDays(world, days)
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: faceAmount, dueDate }
  const { claimId } = await registerClaim(world, terms)
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
  return { claimId, dueDate }
}

/** A vault of 1 000 000 that has financed claims of so much face, all of them due now. */
async function vaultWithDueClaims(...faceAmounts: bigint[]) {
  const vault = await createFundedVault(world, { token: world.usd, capital: 1_000_000n })
  const claims = []
  for (const faceAmount of faceAmounts) claims.push(await finance(vault, faceAmount))
  await travelTo(world, (claims.at(-1)?.dueDate ?? 0n) + 1n)
  return { vault, claimIds: claims.map(({ claimId }) => claimId) }
}

function settle(claimId: Hex | undefined) {
  if (!claimId) throw new Error('no claim was financed')
  return mintAndSettle(world, { payer: world.parties.payer, claimId })
}

function sharesOf(vault: Address, owner: Address): Promise<bigint> {
  return balanceOf(world, vault, owner)
}

/** Mines transactions in one block, in their order. */
async function mineTogether(calls: readonly { from: Address; to: Address; data: Hex }[]): Promise<void> {
  const { chain } = world
  await chain.setAutomine(false)
  const hashes: Hex[] = []
  for (const { from, to, data } of calls) {
    hashes.push(await chain.sendTransaction({ account: from, chain: null, to, data, gas: 2_000_000n }))
  }
  await chain.mine({ blocks: 1 })
  await chain.setAutomine(true)
  const receipts = await Promise.all(hashes.map((hash) => minedReceipt(chain, hash)))
  expect(receipts.map(({ status }) => status)).toEqual(calls.map(() => 'success'))
  expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1)
}

async function leave(vault: Address): Promise<bigint> {
  const { stranger } = world.parties
  const before = await balanceOf(world, world.usd, stranger.address)
  await redeem(world, { provider: stranger, vault, shares: await sharesOf(vault, stranger.address) })
  return (await balanceOf(world, world.usd, stranger.address)) - before
}

describe('a depositor who enters before a settlement and leaves after it', () => {
  test('gains nothing within a block, however much they bring', async () => {
    const { stranger: provider } = world.parties
    const { vault, claimIds } = await vaultWithDueClaims(500_000n)

    // 99 % of the shares, as a flash loan buys them.
    await deposit(world, { provider, vault, assets: 99_000_000n })
    await settle(claimIds[0])

    expect(await leave(vault)).toBeLessThanOrEqual(99_000_000n + 1n)
    expect((await vaultCapital(world, vault)).idleAssets).toBeGreaterThanOrEqual(1_005_000n - 1n)
  })

  test('gains nothing when deposit, settlement and withdrawal are in the same block', async () => {
    const { stranger, payer } = world.parties
    const { vault, claimIds } = await vaultWithDueClaims(500_000n)
    const assets = 99_000_000n
    const before = await balanceOf(world, world.usd, stranger.address)
    await mint(world, { token: world.usd, to: stranger.address, amount: assets })
    await approve(world, { owner: stranger, token: world.usd, spender: vault, amount: assets })
    await mint(world, { token: world.usd, to: payer.address, amount: 500_000n })
    const spender = world.protocol.financingRouter
    await approve(world, { owner: payer, token: world.usd, spender, amount: 500_000n })

    const of = { abi: financingVaultAbi }
    const enter = encodeFunctionData({ ...of, functionName: 'deposit', args: [assets, stranger.address] })
    const pay = encodeFunctionData({
      abi: financingRouterAbi,
      functionName: 'settle',
      args: [claimIds[0] ?? '0x', world.usd, 500_000n],
    })
    // One share is one unit: the vault has had no gain before.
    const leave = [assets, stranger.address, stranger.address] as const
    const exit = encodeFunctionData({ ...of, functionName: 'redeem', args: leave })
    await mineTogether([
      { from: stranger.address, to: vault, data: enter },
      { from: payer.address, to: spender, data: pay },
      { from: stranger.address, to: vault, data: exit },
    ])

    expect(await balanceOf(world, world.usd, stranger.address)).toBeLessThanOrEqual(before + assets)
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 1_005_000n, lockedProfit: 5_000n })
  })

  test('takes no more than its share of one thirtieth of a gain within a day', async () => {
    const { stranger: provider } = world.parties
    const { vault, claimIds } = await vaultWithDueClaims(500_000n)
    await deposit(world, { provider, vault, assets: 1_000_000n })
    const entered = await chainTime(world)
    await settle(claimIds[0])
    await travelTo(world, entered + DAY)

    // Half of the shares, a day, a gain of 5 000.
    const taken = (await leave(vault)) - 1_000_000n
    expect(taken).toBeGreaterThan(0n)
    expect(taken).toBeLessThanOrEqual(5_000n / 30n / 2n + 1n)
  })
})

describe('a gain', () => {
  test('unlocks linearly over 30 days, and rounds in favour of the vault', async () => {
    const { vault, claimIds } = await vaultWithDueClaims(300_000n)
    for (const claimId of claimIds) await settle(claimId)
    const booked = await chainTime(world)
    for (const [seconds, locked] of [
      [1n, 3_000n],
      [DAY, 2_900n],
      [DAY + 1n, 2_900n],
      [PERIOD / 2n, 1_500n],
      [PERIOD - 1n, 1n],
      [PERIOD, 0n],
      [2n * PERIOD, 0n],
    ] as const) {
      await travelTo(world, booked + seconds)
      const { lockedProfit, totalAssets, fundableLiquidity } = await vaultCapital(world, vault)
      expect([seconds, lockedProfit]).toEqual([seconds, locked])
      expect(totalAssets).toBe(1_003_000n - locked)
      expect(fundableLiquidity).toBe(1_003_000n)
    }
  })

  test('that follows another joins it in the mean of their remaining times, weighted by amounts', async () => {
    const { vault, claimIds } = await vaultWithDueClaims(100_000n, 200_000n)
    const [first, second] = claimIds
    await settle(first)
    const booked = await chainTime(world)
    await travelTo(world, booked + 15n * DAY - 3n)
    await settle(second)
    const now = await chainTime(world)
    // 500 or a little more for 15 days, and 2 000 for 30: 27 days.
    const [amount, since, until] = await world.chain.readContract({
      abi: financingVaultAbi,
      address: vault,
      functionName: 'unlocking',
    })
    expect(BigInt(since)).toBe(now)
    const left = (1_000n * (booked + PERIOD - now) + PERIOD - 1n) / PERIOD
    expect(amount).toBe(left + 2_000n)
    expect(BigInt(until) - now).toBe((left * (booked + PERIOD - now) + 2_000n * PERIOD) / (left + 2_000n))
  })

  test('that a loss consumes in part unlocks by the time that it had', async () => {
    const { vault, claimIds } = await vaultWithDueClaims(300_000n, 100_000n)
    const [paid, claimId = '0x'] = claimIds
    await travelTo(world, (await chainTime(world)) + PERIOD)
    await settle(paid)
    const booked = await chainTime(world)
    await travelTo(world, booked + 15n * DAY)
    const { curator } = world.parties
    await impair(world, { caller: curator, vault, claimId, sliceIndex: 0, carryingValue: 98_900n })
    const now = await chainTime(world)
    const [amount, since, until] = await world.chain.readContract({
      abi: financingVaultAbi,
      address: vault,
      functionName: 'unlocking',
    })
    expect([BigInt(since), BigInt(until)]).toEqual([now, booked + PERIOD])
    expect(amount).toBe((3_000n * (booked + PERIOD - now) + PERIOD - 1n) / PERIOD - 100n)
  })

  test('cannot be delayed by gains of one unit', async () => {
    const { vault, claimIds } = await vaultWithDueClaims(900_000n, 1n, 1n, 1n, 1n, 1n, 1n)
    const [large, ...dust] = claimIds
    await settle(large)
    const until = (await chainTime(world)) + PERIOD
    for (const claimId of dust) {
      await settle(claimId)
      const [, , end] = await world.chain.readContract({
        abi: financingVaultAbi,
        address: vault,
        functionName: 'unlocking',
      })
      // One unit in 9 000 adds less than the 30 days over 9 000.
      expect(BigInt(end)).toBeLessThanOrEqual(until + 10n)
    }
  })
})

describe('when the last holder leaves gains behind', () => {
  test('the next depositor gets them over 30 days, not at once', async () => {
    const { provider, stranger } = world.parties
    const { vault, claimIds } = await vaultWithDueClaims(300_000n)
    for (const claimId of claimIds) await settle(claimId)
    await redeem(world, { provider, vault, shares: await sharesOf(vault, provider.address) })
    const left = await vaultCapital(world, vault)
    expect(left).toMatchObject({ totalSupply: 0n, totalAssets: 0n })
    expect(left.idleAssets).toBe(left.lockedProfit)
    expect(left.idleAssets).toBeGreaterThan(2_900n)
    // Nothing unlocks while nobody holds shares.
    await travelTo(world, (await chainTime(world)) + PERIOD)
    expect(await vaultCapital(world, vault)).toEqual(left)

    await deposit(world, { provider: stranger, vault, assets: 50_000n })

    expect(await vaultCapital(world, vault)).toMatchObject({ totalSupply: 50_000n, totalAssets: 50_000n })
    const taken = await leave(vault)
    expect(taken).toBeLessThanOrEqual(50_000n + 1n)
  })
})
