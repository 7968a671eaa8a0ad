import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { callbackTokenAbi, callbackTokenBytecode } from '../../contracts/testing/generated/CallbackToken.ts'
import {
  reentrantProviderAbi,
  reentrantProviderBytecode,
} from '../../contracts/testing/generated/ReentrantProvider.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  chainTime,
  createFundedVault,
  createVault,
  DAY,
  deposit,
  executeFinancing,
  mint,
  mintAndSettle,
  redeem,
  registerClaim,
  setTokenListed,
  settle,
  setVaultActive,
  transfer,
  travelTo,
  vaultCapital,
  withdraw,
} from '../support/scenario.ts'
import { eventsOf, revertOf, send } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A vault with 10 000 of capital that has financed 4 000 of a claim, at 1 % discount unless given: for 3 960. */
async function vaultWithOutstanding(
  baseDiscountBps = 100,
): Promise<{ vault: Address; claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const pricing = { baseDiscountBps }
  const vault = await createFundedVault(world, { token: world.usd, capital: 10_000n, pricing })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 5_000n }
  const { claimId, attestation } = await registerClaim(world, terms)
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 4_000n })
  return { vault, claimId, dueDate: attestation.dueDate }
}

/** The shares of one base unit at the first deposit. */
const UNIT = 1_000_000n

function limit(vault: Address, functionName: 'maxWithdraw' | 'maxRedeem', owner: Address): Promise<bigint> {
  return world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName, args: [owner] })
}

/** The second in which the discount of a claim is earned in full. */
const endOfDay = (dueDate: bigint) => (dueDate / DAY + 1n) * DAY

describe('deposits and withdrawals', () => {
  test('a deposit becomes idle assets and shares of the receiver, a million for each unit in an empty vault', async () => {
    const { provider, stranger } = world.parties
    const { vault } = await createVault(world, { token: world.usd })

    const receipt = await deposit(world, { provider, vault, assets: 700n, receiver: stranger })

    expect(eventsOf(receipt).at(-1)).toEqual({
      emitter: vault,
      name: 'Deposit',
      args: { sender: provider.address, owner: stranger.address, assets: 700n, shares: 700n * UNIT },
    })
    expect(await vaultCapital(world, vault)).toEqual({
      idleAssets: 700n,
      outstandingFace: 0n,
      outstandingAdvance: 0n,
      totalAssets: 700n,
      entryAssets: 700n,
      totalSupply: 700n * UNIT,
      fundableLiquidity: 700n,
    })
    expect(await balanceOf(world, vault, stranger.address)).toBe(700n * UNIT)
  })

  test('a withdrawal pays from idle assets and burns the shares', async () => {
    const { provider } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 700n })
    const before = await balanceOf(world, world.usd, provider.address)

    const receipt = await withdraw(world, { provider, vault, assets: 200n })

    expect(eventsOf(receipt).at(-1)).toMatchObject({
      name: 'Withdraw',
      args: { assets: 200n, shares: 200n * UNIT },
    })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 500n, totalSupply: 500n * UNIT })
    expect(await balanceOf(world, world.usd, provider.address)).toBe(before + 200n)
  })

  test('a claim is worth its advance when it is financed and its face at the end of its due day, paid or not', async () => {
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    expect(await vaultCapital(world, vault)).toMatchObject({
      idleAssets: 6_040n,
      outstandingFace: 4_000n,
      outstandingAdvance: 3_960n,
      totalAssets: 10_000n,
      entryAssets: 10_000n,
    })
    const funded = await chainTime(world)
    await travelTo(world, (funded + endOfDay(dueDate)) / 2n + 1n)
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_020n })
    await travelTo(world, dueDate)
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    for (const days of [0n, 45n, 100n]) {
      await travelTo(world, endOfDay(dueDate) + days * DAY)
      expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 10_040n, totalAssets: 10_040n })
    }
  })

  test('a claim that is not paid loses its face in the 90 days after its due day, and a payment restores it', async () => {
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    for (const [days, totalAssets] of [
      [0n, 10_040n],
      [9n, 9_640n],
      [45n, 8_040n],
      [90n, 6_040n],
      [400n, 6_040n],
    ] as const) {
      await travelTo(world, endOfDay(dueDate) + days * DAY)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets, outstandingFace: 4_000n })
    }
    expect(await vaultCapital(world, vault)).toMatchObject({ entryAssets: 10_040n })
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_040n, entryAssets: 10_040n })
  })

  test.each([
    ['in the last second of its decline', -1n],
    ['in the first second without value', 0n],
    ['later on that day', 40_000n],
    ['a day later', DAY],
  ])('a claim that is paid %s leaves the value of its payment for good', async (_, seconds) => {
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    const { payer } = world.parties
    await mint(world, { token: world.usd, to: payer.address, amount: 5_000n })
    await approve(world, {
      owner: payer,
      token: world.usd,
      spender: world.protocol.financingRouter,
      amount: 5_000n,
    })
    const paidAt = endOfDay(dueDate) + 90n * DAY + seconds
    await world.chain.setNextBlockTimestamp({ timestamp: paidAt })
    await settle(world, { payer, claimId })
    for (const later of [100n, DAY, 100n * DAY]) {
      await travelTo(world, paidAt + later)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_040n, entryAssets: 10_040n })
    }
  })

  test.each(['before', 'after'] as const)(
    'a claim that is paid %s the end of its due day leaves one value, that of the assets, for entry and exit',
    async (moment) => {
      const { issuer, beneficiary, payer } = world.parties
      const vault = await createFundedVault(world, { token: world.usd, capital: 10_000n })
      const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 300n }
      const { claimId, attestation } = await registerClaim(world, terms)
      await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 300n })
      if (moment === 'before') await mintAndSettle(world, { payer, claimId })
      await travelTo(world, endOfDay(attestation.dueDate))
      if (moment === 'after') await mintAndSettle(world, { payer, claimId })
      expect(await vaultCapital(world, vault)).toMatchObject({
        idleAssets: 10_003n,
        totalAssets: 10_003n,
        entryAssets: 10_003n,
      })
    },
  )

  test.each([
    ['before they are overdue', -2n],
    ['in their write-down', 45n],
    ['after their write-down', 100n],
  ])(
    'two claims of one due day earn and lose each its own part, also after one is paid %s',
    async (_, paidAfter) => {
      const { issuer, beneficiary, payer } = world.parties
      const { vault, claimId, dueDate } = await vaultWithOutstanding()
      const end = endOfDay(dueDate)
      const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 2_000n }
      const second = await registerClaim(world, { ...terms, dueDate: end - 1n })
      await travelTo(world, ((await chainTime(world)) + end) / 2n + 1n)
      await executeFinancing(world, { user: beneficiary, claimId: second.claimId, vault, faceAmount: 2_000n })
      await travelTo(world, ((await chainTime(world)) + end) / 2n + 1n)
      expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_030n + 10n })
      let face = 4_000n + 2_000n
      for (const days of [0n, 9n, 81n, 400n]) {
        if (face > 2_000n && days > paidAfter) {
          await travelTo(world, end + paidAfter * DAY)
          await mintAndSettle(world, { payer, claimId })
          face = 2_000n
        }
        await travelTo(world, end + days * DAY)
        const lost = (face * (days < 90n ? days : 90n)) / 90n
        const expected = { outstandingFace: face, totalAssets: 10_060n - lost, entryAssets: 10_060n }
        expect(await vaultCapital(world, vault)).toMatchObject(expected)
      }
    },
  )

  test('due days on both sides of a word of 256 days are found after a year without an event', async () => {
    const { issuer, beneficiary } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 100_000n })
    const word = (((await chainTime(world)) / DAY + 3n) / 256n + 1n) * 256n
    for (const [dueDay, faceAmount] of [
      [word - 3n, 100n],
      [word - 2n, 1_000n],
      [word - 1n, 2_000n],
      [word, 4_000n],
    ] as const) {
      const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: faceAmount }
      const { claimId } = await registerClaim(world, { ...terms, dueDate: dueDay * DAY })
      await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
    }
    // They are overdue for 91, 90, 89 and 88 days: 2 000 / 90 and 8 000 / 90 are left of the last two.
    await travelTo(world, (word + 89n) * DAY)
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 100_071n - 7_100n + 111n })
    await travelTo(world, (word + 400n) * DAY)
    expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 100_071n - 7_100n })
  })

  test('what is out in claims cannot be withdrawn', async () => {
    const { provider } = world.parties
    const { vault } = await vaultWithOutstanding()

    expect(await limit(vault, 'maxWithdraw', provider.address)).toBe(6_040n)
    expect(await revertOf(withdraw(world, { provider, vault, assets: 6_041n }))).toEqual({
      errorName: 'ERC4626ExceededMaxWithdraw',
      args: [provider.address, 6_041n, 6_040n],
    })
    await withdraw(world, { provider, vault, assets: 6_040n })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n, totalAssets: 3_960n })
  })

  test('redeeming is limited by the idle assets as well: one share more would be worth one unit more', async () => {
    const { provider } = world.parties
    // Without a discount the price stands still until the end of the due day.
    const { vault } = await vaultWithOutstanding(0)
    const before = await vaultCapital(world, vault)
    const shares = await limit(vault, 'maxRedeem', provider.address)
    const worth = (amount: bigint) => (amount * (before.totalAssets + 1n)) / (before.totalSupply + UNIT)
    expect([worth(shares), worth(shares + 1n)]).toEqual([6_000n, 6_001n])
    expect(await revertOf(redeem(world, { provider, vault, shares: shares + 1n }))).toEqual({
      errorName: 'ERC4626ExceededMaxRedeem',
      args: [provider.address, shares + 1n, shares],
    })
    await redeem(world, { provider, vault, shares })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n })
  })

  test('after a gain that makes shares worth more, both limits can be taken to the last unit', async () => {
    const { provider } = world.parties
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    await travelTo(world, endOfDay(dueDate))
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    const assets = await limit(vault, 'maxWithdraw', provider.address)
    await withdraw(world, { provider, vault, assets })
    await redeem(world, { provider, vault, shares: await balanceOf(world, vault, provider.address) })
    const { idleAssets, totalSupply } = await vaultCapital(world, vault)
    expect(totalSupply).toBe(0n)
    // Rounding and the virtual shares leave at most one unit behind, in favour of the vault.
    expect(idleAssets).toBeLessThanOrEqual(1n)
  })
})

describe('a call with a bound', () => {
  const shares = 100n * UNIT
  const abi = financingVaultAbi
  /** Shares cost a millionth of a unit each. */
  const CALLS = [
    {
      name: 'deposit',
      holds: shares,
      fails: shares + 1n,
      errorName: 'BelowMinimum',
      encode: (who: Address, bound: bigint) =>
        encodeFunctionData({ abi, functionName: 'deposit', args: [100n, who, bound] }),
    },
    {
      name: 'mint',
      holds: 100n,
      fails: 99n,
      errorName: 'AboveMaximum',
      encode: (who: Address, bound: bigint) =>
        encodeFunctionData({ abi, functionName: 'mint', args: [shares, who, bound] }),
    },
    {
      name: 'withdraw',
      holds: shares,
      fails: shares - 1n,
      errorName: 'AboveMaximum',
      encode: (who: Address, bound: bigint) =>
        encodeFunctionData({ abi, functionName: 'withdraw', args: [100n, who, who, bound] }),
    },
    {
      name: 'redeem',
      holds: 100n,
      fails: 101n,
      errorName: 'BelowMinimum',
      encode: (who: Address, bound: bigint) =>
        encodeFunctionData({ abi, functionName: 'redeem', args: [shares, who, who, bound] }),
    },
  ]

  test.each(CALLS)('$name has the effect of the call without it, or reverts', async ({ encode, ...call }) => {
    const { name, holds, fails, errorName } = call
    const { provider } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 700n })
    await mint(world, { token: world.usd, to: provider.address, amount: 100n })
    await approve(world, { owner: provider, token: world.usd, spender: vault, amount: 100n })
    const sendBounded = (bound: bigint) =>
      send(world.chain, provider, { to: vault, data: encode(provider.address, bound) })

    expect(await revertOf(sendBounded(fails))).toEqual({ errorName, args: [holds, fails] })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 700n, totalSupply: 700n * UNIT })
    const receipt = await sendBounded(holds)
    const isEntry = name === 'deposit' || name === 'mint'
    expect(eventsOf(receipt).at(-1)).toMatchObject({
      name: isEntry ? 'Deposit' : 'Withdraw',
      args: { assets: 100n, shares },
    })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: isEntry ? 800n : 600n })
  })
})

describe('an inactive vault', () => {
  const preview = (vault: Address, functionName: 'maxDeposit' | 'maxMint') =>
    world.chain.readContract({
      abi: financingVaultAbi,
      address: vault,
      functionName,
      args: [world.parties.provider.address],
    })

  test('takes no deposit, in assets or in shares, until it is active again', async () => {
    const { provider } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 700n })
    await setVaultActive(world, { vault, active: false })

    expect([await preview(vault, 'maxDeposit'), await preview(vault, 'maxMint')]).toEqual([0n, 0n])
    expect(await revertOf(deposit(world, { provider, vault, assets: 5n }))).toEqual({
      errorName: 'ERC4626ExceededMaxDeposit',
      args: [provider.address, 5n, 0n],
    })
    const args = [5n, provider.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'mint', args })
    expect(await revertOf(send(world.chain, provider, { to: vault, data }))).toEqual({
      errorName: 'ERC4626ExceededMaxMint',
      args: [provider.address, 5n, 0n],
    })
    await setVaultActive(world, { vault, active: true })
    await deposit(world, { provider, vault, assets: 5n })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 705n })
  })

  test('pays withdrawals', async () => {
    const { provider } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 700n })
    await setVaultActive(world, { vault, active: false })
    await withdraw(world, { provider, vault, assets: 300n })
    await redeem(world, { provider, vault, shares: 400n * UNIT })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n, totalSupply: 0n })
  })
})

test('tokens sent to a vault by accident change no figure of it and cannot be lent', async () => {
  const { provider, stranger, issuer, beneficiary } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 1_000n })
  const before = await vaultCapital(world, vault)
  await mint(world, { token: world.usd, to: stranger.address, amount: 5_000n })

  await transfer(world, { from: stranger, token: world.usd, to: vault, amount: 5_000n })

  expect(await vaultCapital(world, vault)).toEqual(before)
  expect(await limit(vault, 'maxWithdraw', provider.address)).toBe(1_000n)
  const { claimId } = await registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue: 2_000n,
  })
  const tooMuch = executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 2_000n })
  expect(await revertOf(tooMuch)).toEqual({
    errorName: 'InsufficientLiquidity',
    args: [vault, 1_980n, 1_000n],
  })
})

test('a provider that redeems while its own deposit is under way gains nothing by it', async () => {
  const { stranger, provider } = world.parties
  const token = await deployForTest(world, callbackTokenAbi, callbackTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
  const { vault } = await createVault(world, { token })
  const attacker = await deployForTest(world, reentrantProviderAbi, reentrantProviderBytecode, [vault])
  await deposit(world, { provider, vault, assets: 1_000n })
  await mint(world, { token, to: attacker, amount: 2_000n })
  const attack = (data: Hex) => send(world.chain, stranger, { to: attacker, data })

  await attack(encodeFunctionData({ abi: reentrantProviderAbi, functionName: 'deposit', args: [1_000n] }))
  const name = 'depositAndRedeemMeanwhile'
  await attack(encodeFunctionData({ abi: reentrantProviderAbi, functionName: name, args: [1_000n] }))
  await attack(encodeFunctionData({ abi: reentrantProviderAbi, functionName: 'redeemEverything' }))

  expect(await balanceOf(world, token, attacker)).toBeLessThanOrEqual(2_000n)
  expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 1_000n })
})

test('a provider that redeems the rest of its shares while it receives assets gains nothing by it', async () => {
  const { stranger, provider } = world.parties
  const token = await deployForTest(world, callbackTokenAbi, callbackTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
  const { vault } = await createVault(world, { token })
  const abi = reentrantProviderAbi
  const attacker = await deployForTest(world, abi, reentrantProviderBytecode, [vault])
  await deposit(world, { provider, vault, assets: 1_000n })
  await mint(world, { token, to: attacker, amount: 1_000n })
  const attack = (data: Hex) => send(world.chain, stranger, { to: attacker, data })

  await attack(encodeFunctionData({ abi, functionName: 'deposit', args: [1_000n] }))
  const half = (await balanceOf(world, vault, attacker)) / 2n
  await attack(encodeFunctionData({ abi, functionName: 'redeemRestMeanwhile', args: [half] }))

  expect(await balanceOf(world, vault, attacker)).toBe(0n)
  expect(await balanceOf(world, token, attacker)).toBe(1_000n)
  expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 1_000n, totalAssets: 1_000n })
})
