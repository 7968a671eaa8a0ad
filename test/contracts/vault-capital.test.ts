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
  balanceOf,
  createFundedVault,
  createVault,
  deposit,
  executeFinancing,
  mint,
  mintAndSettle,
  redeem,
  registerClaim,
  setTokenListed,
  setVaultActive,
  transfer,
  travelDays,
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

/** A vault with 10 000 of capital that has financed 4 000 of a claim for 3 960. */
async function vaultWithOutstanding(): Promise<{ vault: Address; claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 10_000n })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 5_000n }
  const { claimId, attestation } = await registerClaim(world, terms)
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 4_000n })
  return { vault, claimId, dueDate: attestation.dueDate }
}

function limit(vault: Address, functionName: 'maxWithdraw' | 'maxRedeem', owner: Address): Promise<bigint> {
  return world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName, args: [owner] })
}

describe('deposits and withdrawals', () => {
  test('a deposit becomes idle assets and shares of the receiver, one to one in an empty vault', async () => {
    const { provider, stranger } = world.parties
    const { vault } = await createVault(world, { token: world.usd })

    const receipt = await deposit(world, { provider, vault, assets: 700n, receiver: stranger })

    expect(eventsOf(receipt).at(-1)).toEqual({
      emitter: vault,
      name: 'Deposit',
      args: { sender: provider.address, owner: stranger.address, assets: 700n, shares: 700n },
    })
    expect(await vaultCapital(world, vault)).toEqual({
      idleAssets: 700n,
      outstandingFace: 0n,
      outstandingAdvance: 0n,
      outstandingImpairment: 0n,
      lockedProfit: 0n,
      totalAssets: 700n,
      totalSupply: 700n,
      fundableLiquidity: 700n,
    })
    expect(await balanceOf(world, vault, stranger.address)).toBe(700n)
  })

  test('a withdrawal pays from idle assets and burns the shares', async () => {
    const { provider } = world.parties
    const vault = await createFundedVault(world, { token: world.usd, capital: 700n })
    const before = await balanceOf(world, world.usd, provider.address)

    const receipt = await withdraw(world, { provider, vault, assets: 200n })

    expect(eventsOf(receipt).at(-1)).toMatchObject({ name: 'Withdraw', args: { assets: 200n, shares: 200n } })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 500n, totalSupply: 500n })
    expect(await balanceOf(world, world.usd, provider.address)).toBe(before + 200n)
  })

  test('shares keep their price while capital is out, and gain the discount in the 30 days after the settlement', async () => {
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    expect(await vaultCapital(world, vault)).toMatchObject({
      idleAssets: 6_040n,
      outstandingFace: 4_000n,
      outstandingAdvance: 3_960n,
      totalAssets: 10_000n,
    })
    await travelTo(world, dueDate)
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 10_040n, totalAssets: 10_000n })
    await travelDays(world, 30)
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 10_040n, totalAssets: 10_040n })
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

  test('redeeming is limited by the idle assets as well, and the limit itself can be redeemed', async () => {
    const { provider } = world.parties
    const { vault } = await vaultWithOutstanding()
    const shares = await limit(vault, 'maxRedeem', provider.address)
    expect(shares).toBe(6_040n)
    expect(await revertOf(redeem(world, { provider, vault, shares: shares + 1n }))).toEqual({
      errorName: 'ERC4626ExceededMaxRedeem',
      args: [provider.address, shares + 1n, shares],
    })
    await redeem(world, { provider, vault, shares })
  })

  test('the shares that can be redeemed are rounded down where a share is worth more than one', async () => {
    const { provider, beneficiary, issuer, payer } = world.parties
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    await travelTo(world, dueDate)
    await mintAndSettle(world, { payer, claimId })
    await travelDays(world, 30)
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 5_000n }
    const next = await registerClaim(world, terms)
    await executeFinancing(world, { user: beneficiary, claimId: next.claimId, vault, faceAmount: 4_000n })
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 6_080n, totalAssets: 10_040n })
    // 6,080 assets are 6,055.78 shares.
    expect(await limit(vault, 'maxRedeem', provider.address)).toBe(6_055n)
    await redeem(world, { provider, vault, shares: 6_055n })
  })

  test('after a gain that makes shares worth more than one, both limits can be taken to the last unit', async () => {
    const { provider } = world.parties
    const { vault, claimId, dueDate } = await vaultWithOutstanding()
    await travelTo(world, dueDate)
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    await travelDays(world, 30)
    const assets = await limit(vault, 'maxWithdraw', provider.address)
    await withdraw(world, { provider, vault, assets })
    const { idleAssets, totalSupply } = await vaultCapital(world, vault)
    expect(totalSupply).toBe(0n)
    // Rounding leaves at most one unit behind, in favour of the vault.
    expect(idleAssets).toBeLessThanOrEqual(1n)
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
    await redeem(world, { provider, vault, shares: 400n })
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
