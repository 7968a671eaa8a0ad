/**
 * Discounts belong to those who hold shares while they are earned, and a late payment to those who wait for it. Nobody
 * gains by the moment at which they enter or leave.
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import {
  reentrantProviderAbi,
  reentrantProviderBytecode,
} from '../../contracts/testing/generated/ReentrantProvider.ts'
import type { Party } from '../support/parties.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  chainTime,
  claimOf,
  createFundedVault,
  createVault,
  DAY,
  deposit,
  executeFinancing,
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

const CAPITAL = 1_000_000n
const FACE = 500_000n
const DISCOUNT = 5_000n
/** A share of a vault is worth at most this much more or less than its part, by rounding and the virtual shares. */
const ROUNDING = 2n

type Debt = { vault: Address; claimId: Hex; fundedAt: bigint; overdueFrom: bigint }

/** Finances `faceAmount` of a claim that is due in the last second of a day, in some days. */
async function finance(vault: Address, faceAmount = FACE, days = 5n): Promise<Debt> {
  const { issuer, beneficiary } = world.parties
  const overdueFrom = ((await chainTime(world)) / DAY + days + 1n) * DAY
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: faceAmount }
  const { claimId } = await registerClaim(world, { ...terms, dueDate: overdueFrom - 1n })
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
  return { vault, claimId, fundedAt: await chainTime(world), overdueFrom }
}

/** A vault of 1 000 000 that has financed a claim of 500 000 for 495 000. Every holder has deposited as much. */
async function vaultWithDebt(...holders: Party[]): Promise<Debt> {
  const [provider = world.parties.provider, ...others] = holders
  const { vault } = await createVault(world, { token: world.usd })
  const all = [provider, ...others]
  for (const each of all) {
    await deposit(world, { provider: each, vault, assets: CAPITAL / BigInt(all.length) })
  }
  return finance(vault)
}

const settle = (claimId: Hex) => mintAndSettle(world, { payer: world.parties.payer, claimId })

/** Redeems all shares of the holder. @returns what it received */
async function leave(vault: Address, holder: Party): Promise<bigint> {
  const before = await balanceOf(world, world.usd, holder.address)
  await redeem(world, { provider: holder, vault, shares: await balanceOf(world, vault, holder.address) })
  return (await balanceOf(world, world.usd, holder.address)) - before
}

type Call = { from: Address; to: Address; data: Hex }

/** Mines calls in one block, in their order. */
async function mineTogether(calls: readonly Call[], timestamp?: bigint): Promise<void> {
  const { chain } = world
  await chain.setAutomine(false)
  const hashes: Hex[] = []
  for (const { from, to, data } of calls) {
    hashes.push(await chain.sendTransaction({ account: from, chain: null, to, data, gas: 2_000_000n }))
  }
  if (timestamp !== undefined) await chain.setNextBlockTimestamp({ timestamp })
  await chain.mine({ blocks: 1 })
  await chain.setAutomine(true)
  const receipts = await Promise.all(hashes.map((hash) => minedReceipt(chain, hash)))
  expect(receipts.map(({ status }) => status)).toEqual(calls.map(() => 'success'))
  expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(calls.length > 0 ? 1 : 0)
}

/** Gives the payer the means to pay `claimId`. @returns the call that pays it */
async function payment(payer: Party, claimId: Hex): Promise<Call> {
  const to = world.protocol.financingRouter
  const { faceValue: amount } = await claimOf(world, claimId)
  await mint(world, { token: world.usd, to: payer.address, amount })
  const allowed = await world.chain.readContract({
    abi: financingVaultAbi,
    address: world.usd,
    functionName: 'allowance',
    args: [payer.address, to],
  })
  await approve(world, { owner: payer, token: world.usd, spender: to, amount: allowed + amount })
  const args = [claimId, world.usd, amount] as const
  return {
    from: payer.address,
    to,
    data: encodeFunctionData({ abi: financingRouterAbi, functionName: 'settle', args }),
  }
}

/** Finances half of a claim. @returns the call by which its issuer closes it */
async function closing(vault: Address): Promise<Call> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 2_000n }
  const { claimId } = await registerClaim(world, terms)
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 1_000n })
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args: [claimId] })
  return { from: issuer.address, to: world.protocol.claimRegistry, data }
}

/** A contract with `assets` to deposit, which redeems all its shares again. */
async function flashLender(vault: Address, assets: bigint) {
  const attacker = await deployForTest(world, reentrantProviderAbi, reentrantProviderBytecode, [vault])
  await mint(world, { token: world.usd, to: attacker, amount: assets })
  const call = (data: Hex): Call => ({ from: world.parties.stranger.address, to: attacker, data })
  const abi = reentrantProviderAbi
  return {
    enter: call(encodeFunctionData({ abi, functionName: 'deposit', args: [assets] })),
    exit: call(encodeFunctionData({ abi, functionName: 'redeemEverything' })),
    gain: async () => (await balanceOf(world, world.usd, attacker)) - assets,
  }
}

describe('a depositor around a settlement', () => {
  test.each([
    ['before', 10n],
    ['before', 100n],
    ['after', 10n],
    ['after', 100n],
  ] as const)('gains nothing in the blocks right %s it, with %d times the capital', async (moment, times) => {
    const { stranger: provider } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt()
    await travelTo(world, overdueFrom)
    if (moment === 'after') await settle(claimId)
    await deposit(world, { provider, vault, assets: times * CAPITAL })
    if (moment === 'before') await settle(claimId)
    expect(await leave(vault, provider)).toBeLessThanOrEqual(times * CAPITAL)
  })

  test.each([
    ['enters, pays and leaves', 0],
    ['pays, enters and leaves', 1],
  ])('who %s in one block gains nothing', async (_, position) => {
    const { payer } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt()
    const lender = await flashLender(vault, 100n * CAPITAL)
    const pay = await payment(payer, claimId)
    const inside = position === 0 ? [lender.enter, pay] : [pay, lender.enter]
    await mineTogether([...inside, lender.exit], overdueFrom - 1n)
    expect(await lender.gain()).toBeLessThanOrEqual(0n)
    await travelTo(world, overdueFrom)
    expect((await vaultCapital(world, vault)).totalAssets).toBeGreaterThanOrEqual(CAPITAL + DISCOUNT)
  })
})

describe('a lender who leaves', () => {
  test('in the block after the settlement has its whole part of the discount', async () => {
    const { provider, stranger } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt(provider, stranger)
    const pay = await payment(world.parties.payer, claimId)
    await mineTogether([pay], overdueFrom - 1n)
    for (const holder of [stranger, provider]) {
      const taken = await leave(vault, holder)
      expect(taken).toBeLessThanOrEqual((CAPITAL + DISCOUNT) / 2n)
      expect(taken).toBeGreaterThanOrEqual((CAPITAL + DISCOUNT) / 2n - ROUNDING)
    }
  })

  test('half-way has its part of half of the discount', async () => {
    const { provider, stranger } = world.parties
    const { vault, fundedAt, overdueFrom } = await vaultWithDebt(provider, stranger)
    await world.chain.setNextBlockTimestamp({ timestamp: (fundedAt + overdueFrom) / 2n })
    const taken = await leave(vault, stranger)
    expect(taken).toBeLessThanOrEqual((CAPITAL + DISCOUNT / 2n) / 2n + 1n)
    expect(taken).toBeGreaterThanOrEqual((CAPITAL + DISCOUNT / 2n) / 2n - ROUNDING)
  })

  test('while a claim is late leaves what is not paid to those who stay, and cannot buy it back', async () => {
    const { provider, stranger } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt(provider, stranger)
    await world.chain.setNextBlockTimestamp({ timestamp: overdueFrom + 45n * DAY })
    // Half of the face is written down: 755 000 are left.
    const taken = await leave(vault, stranger)
    expect(taken).toBeLessThanOrEqual(377_500n)
    expect(taken).toBeGreaterThanOrEqual(377_500n - ROUNDING)

    await deposit(world, { provider: stranger, vault, assets: taken })
    await settle(claimId)

    expect(await leave(vault, stranger)).toBeLessThanOrEqual(taken)
    const kept = await leave(vault, provider)
    expect(kept).toBeLessThanOrEqual(CAPITAL + DISCOUNT - taken)
    expect(kept).toBeGreaterThanOrEqual(CAPITAL + DISCOUNT - taken - ROUNDING)
  })
})

describe('an early payment', () => {
  test('brings a debtor nothing who enters with ten times the capital, pays and leaves in one block', async () => {
    const { vault, claimId, fundedAt, overdueFrom } = await vaultWithDebt()
    const debtor = await flashLender(vault, 10n * CAPITAL)
    const pay = await payment(world.parties.payer, claimId)
    await mineTogether([debtor.enter, pay, debtor.exit], (fundedAt + overdueFrom) / 2n)
    expect(await debtor.gain()).toBeLessThanOrEqual(0n)
    expect((await vaultCapital(world, vault)).totalAssets).toBeGreaterThanOrEqual(
      CAPITAL + DISCOUNT / 2n - 1n,
    )
  })

  test('brings a debtor who stays no more than an entry without it', async () => {
    const { stranger } = world.parties
    const { vault, claimId, fundedAt, overdueFrom } = await vaultWithDebt()
    const pay = await payment(world.parties.payer, claimId)
    await travelTo(world, (fundedAt + overdueFrom) / 2n)
    await deposit(world, { provider: stranger, vault, assets: 10n * CAPITAL })
    // An unpaid claim is written down from `overdueFrom` on, a little more each second.
    const leaveWhenDue = async () => {
      await world.chain.setNextBlockTimestamp({ timestamp: overdueFrom })
      return leave(vault, stranger)
    }
    const id = await world.chain.snapshot()
    const without = await leaveWhenDue()
    await world.chain.revert({ id })
    await mineTogether([pay])
    expect(await leaveWhenDue()).toBe(without)
  })
})

describe('a late payment', () => {
  test.each([45n, 89n, 200n])(
    'brings a debtor nothing who enters, pays and leaves in one block after %d days',
    async (days) => {
      const { vault, claimId, overdueFrom } = await vaultWithDebt()
      const debtor = await flashLender(vault, 10n * CAPITAL)
      const pay = await payment(world.parties.payer, claimId)
      await mineTogether([debtor.enter, pay, debtor.exit], overdueFrom + days * DAY)
      expect(await debtor.gain()).toBeLessThanOrEqual(0n)
      const { totalAssets } = await vaultCapital(world, vault)
      expect(totalAssets).toBeGreaterThanOrEqual(CAPITAL + DISCOUNT)
    },
  )

  test.each(['before', 'after'] as const)(
    'of a claim without value brings nothing to who enters in the block %s it',
    async (moment) => {
      const { provider, stranger } = world.parties
      const { vault, claimId, overdueFrom } = await vaultWithDebt()
      await travelTo(world, overdueFrom + 100n * DAY)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: CAPITAL + DISCOUNT - FACE })
      if (moment === 'after') await settle(claimId)
      await deposit(world, { provider: stranger, vault, assets: 10n * CAPITAL })
      if (moment === 'before') await settle(claimId)
      expect(await leave(vault, stranger)).toBeLessThanOrEqual(10n * CAPITAL)
      expect(await leave(vault, provider)).toBeGreaterThanOrEqual(CAPITAL + DISCOUNT - ROUNDING)
    },
  )
})

describe('a discount that was paid early and lent again', () => {
  test('leaves a vault without value where all is lost', async () => {
    const { provider } = world.parties
    const pricing = { baseDiscountBps: 5_000 }
    const vault = await createFundedVault(world, { token: world.usd, capital: 1_000n, pricing })
    const early = await finance(vault, 1_000n, 300n)
    await settle(early.claimId)
    // A third of the 1 500 that are lent now is a discount that is not earned.
    const { overdueFrom } = await finance(vault, 3_000n)
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n, outstandingAdvance: 1_500n })
    for (const moment of [overdueFrom + 90n * DAY, early.overdueFrom]) {
      await travelTo(world, moment)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 0n })
    }
    await deposit(world, { provider, vault, assets: 1_000n })
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 1_000n })
  })
})

describe('the first and the last holder', () => {
  test('what the last holder left is not sold to the next depositor', async () => {
    const { provider, stranger } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt()
    await travelTo(world, overdueFrom + 100n * DAY)
    await leave(vault, provider)
    await settle(claimId)
    expect(await vaultCapital(world, vault)).toMatchObject({ totalSupply: 0n, totalAssets: FACE })
    for (const assets of [1n, 1_000_000n]) {
      await deposit(world, { provider: stranger, vault, assets })
      expect(await leave(vault, stranger)).toBeLessThanOrEqual(assets)
    }
  })

  test('a first holder cannot raise the price of a share above the next deposit by a discount of 99.99 %', async () => {
    const { provider: victim, stranger: attacker } = world.parties
    const pricing = { baseDiscountBps: 9_999 }
    const { vault } = await createVault(world, { token: world.usd, pricing })
    await deposit(world, { provider: attacker, vault, assets: 1n })
    const { claimId, overdueFrom } = await finance(vault, 10_000n)
    await travelTo(world, overdueFrom)
    await settle(claimId)
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_000n })

    await deposit(world, { provider: victim, vault, assets: 14_700n })

    expect(await leave(vault, victim)).toBeGreaterThanOrEqual(14_700n - 1n)
    // Nobody's shares have half of what the attacker has paid.
    expect(await leave(vault, attacker)).toBeLessThanOrEqual(5_001n)
  })

  test('three total losses leave a vault that takes deposits, with shares of no more than a million for a unit', async () => {
    const { provider } = world.parties
    const pricing = { baseDiscountBps: 0 }
    const vault = await createFundedVault(world, { token: world.usd, capital: CAPITAL, pricing })
    let paidIn = CAPITAL
    for (const round of [1n, 2n, 3n]) {
      const { overdueFrom } = await finance(vault, (await vaultCapital(world, vault)).idleAssets)
      await travelTo(world, overdueFrom + 90n * DAY)
      expect(await vaultCapital(world, vault)).toMatchObject({
        totalAssets: 0n,
        entryAssets: round * CAPITAL,
      })
      await deposit(world, { provider, vault, assets: CAPITAL })
      paidIn += CAPITAL
      const { totalSupply, totalAssets } = await vaultCapital(world, vault)
      expect(totalAssets).toBe(CAPITAL)
      expect(totalSupply).toBe(paidIn * 1_000_000n)
    }
  })
})

describe('prices', () => {
  /** Prices after a block of these calls, which is then taken back. */
  async function pricesAfter(vault: Address, calls: readonly Call[], timestamp: bigint) {
    const id = await world.chain.snapshot()
    await mineTogether(calls, timestamp)
    const { totalAssets, entryAssets, totalSupply } = await vaultCapital(world, vault)
    await world.chain.revert({ id })
    return { totalAssets, entryAssets, totalSupply }
  }

  async function financingCall(vault: Address): Promise<Call> {
    const { issuer, beneficiary } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: FACE / 2n }
    const { claimId } = await registerClaim(world, terms)
    const args = [claimId, vault, FACE / 2n, 0n, 2n ** 40n] as const
    const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'executeFinancing', args })
    return { from: beneficiary.address, to: world.protocol.financingRouter, data }
  }

  test('are as without it after a settlement before the claim is due, and after a revocation', async () => {
    const { vault, claimId, fundedAt, overdueFrom } = await vaultWithDebt()
    const revocation = await closing(vault)
    const settlement = await payment(world.parties.payer, claimId)
    for (const moment of [(fundedAt + overdueFrom) / 2n, overdueFrom - 1n]) {
      const without = await pricesAfter(vault, [], moment)
      expect(await pricesAfter(vault, [settlement], moment)).toEqual(without)
      expect(await pricesAfter(vault, [revocation], moment)).toEqual(without)
    }
  })

  test('contain a discount that was paid early in full at the end of the due day, and no sooner', async () => {
    const { vault, claimId, fundedAt, overdueFrom } = await vaultWithDebt()
    await settle(claimId)
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: CAPITAL + DISCOUNT })
    for (const [moment, earned] of [
      [(fundedAt + overdueFrom) / 2n + 1n, DISCOUNT / 2n],
      [overdueFrom - 1n, DISCOUNT - 1n],
      [overdueFrom, DISCOUNT],
      [overdueFrom + 100n * DAY, DISCOUNT],
    ] as const) {
      await travelTo(world, moment)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: CAPITAL + earned })
    }
  })

  test('are the same after two events of one block in any order', async () => {
    const { issuer, payer } = world.parties
    const { vault, claimId, overdueFrom } = await vaultWithDebt()
    const other = await finance(vault, 200_000n, 9n)
    await travelTo(world, overdueFrom - 1_000n)
    const settlement = await payment(payer, claimId)
    const early = await payment(issuer, other.claimId)
    const revocation = await closing(vault)
    const financing = await financingCall(vault)
    const onTime = await pricesAfter(vault, [], overdueFrom - 1n)
    const late = await pricesAfter(vault, [settlement], overdueFrom + 3n * DAY)
    for (const pair of [
      [settlement, early],
      [settlement, revocation],
      [settlement, financing],
      [early, revocation],
      [early, financing],
      [revocation, financing],
    ]) {
      for (const calls of [pair, pair.toReversed()]) {
        expect(await pricesAfter(vault, calls, overdueFrom - 1n)).toEqual(onTime)
        if (!pair.includes(settlement)) continue
        expect(await pricesAfter(vault, calls, overdueFrom + 3n * DAY)).toEqual(late)
      }
    }
  })
})
