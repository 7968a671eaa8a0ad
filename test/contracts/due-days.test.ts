/** A vault that nobody used for many due days is brought forward in parts, which change no value. */
import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import { startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  carryForward,
  chainTime,
  createFundedVault,
  DAY,
  deposit,
  executeRoute,
  mint,
  mintAndSettle,
  redeem,
  registerClaim,
  travelDays,
  travelTo,
  vaultCapital,
  withdraw,
} from '../support/scenario.ts'
import { send } from '../support/transactions.ts'

const DUE_DAYS = 96
const LEGS = 8
/** Less than a call needs that passes all due days, and more than one that passes a quarter of them. */
const GAS = 900_000n

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A vault with a claim that is due on each of many days, all of which have passed. */
async function idleVault(): Promise<{ vault: Address; claimIds: readonly Hex[] }> {
  const { issuer, beneficiary } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 10_000_000n })
  const due = (await chainTime(world)) + DAY
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_003n }
  const claimIds: Hex[] = []
  for (let day = 0; day < DUE_DAYS; day++) {
    const { claimId } = await registerClaim(world, { ...terms, dueDate: due + BigInt(2 * day) * DAY })
    claimIds.push(claimId)
  }
  for (let at = 0; at < DUE_DAYS; at += LEGS) {
    const legs = claimIds.slice(at, at + LEGS).map((claimId) => ({ claimId, vault, faceAmount: 1_003n }))
    await executeRoute(world, { user: beneficiary, legs })
  }
  await travelDays(world, 240)
  return { vault, claimIds }
}

async function today(): Promise<bigint> {
  return (await chainTime(world)) / DAY
}

/** Whether the provider can redeem a part of its shares with that gas. */
async function canRedeem(vault: Address, gas: bigint): Promise<boolean> {
  const { address } = world.parties.provider
  const data = encodeFunctionData({ abi, functionName: 'redeem', args: [10n ** 9n, address, address] })
  return world.chain.call({ account: address, to: vault, data, gas }).then(
    () => true,
    () => false,
  )
}

/** The vault's figures at some moments after `act`, which is then taken back. */
async function valuesAfter(vault: Address, act: () => Promise<unknown>, moments: readonly bigint[]) {
  const id = await world.chain.snapshot()
  await act()
  const values = []
  for (const moment of moments) {
    await travelTo(world, moment)
    values.push(await vaultCapital(world, vault))
  }
  await world.chain.revert({ id })
  return values
}

describe('a vault whose last event is many due days ago', () => {
  test('is brought forward in several calls, after which a redemption needs little gas and pays the same', async () => {
    const { provider, stranger: sender } = world.parties
    const { vault } = await idleVault()
    const now = await today()
    const shares = 10n ** 9n
    const before = await vaultCapital(world, vault)
    const worth = await world.chain.readContract({
      abi,
      address: vault,
      functionName: 'previewRedeem',
      args: [shares],
    })
    expect(await canRedeem(vault, GAS)).toBe(false)

    for (const day of [now - 195n, now - 150n, now - 110n, now - 70n, now - 35n, now]) {
      const { gasUsed } = await carryForward(world, { sender, vault, day })
      expect(gasUsed).toBeLessThan(GAS)
      expect(await vaultCapital(world, vault)).toMatchObject({ entryAssets: before.entryAssets })
    }

    expect(await canRedeem(vault, GAS / 6n)).toBe(true)
    const owned = await balanceOf(world, world.usd, provider.address)
    await redeem(world, { provider, vault, shares })
    expect((await balanceOf(world, world.usd, provider.address)) - owned).toBe(worth)
  })

  test('is brought forward for all later calls by one entry or exit, in assets or in shares', async () => {
    const { provider } = world.parties
    const { vault } = await idleVault()
    await mint(world, { token: world.usd, to: provider.address, amount: 100n })
    await approve(world, { owner: provider, token: world.usd, spender: vault, amount: 100n })
    const args = [10n ** 7n, provider.address] as const
    const mintShares = encodeFunctionData({ abi, functionName: 'mint', args })
    for (const call of [
      () => redeem(world, { provider, vault, shares: 1n }),
      () => withdraw(world, { provider, vault, assets: 10n }),
      () => send(world.chain, provider, { to: vault, data: mintShares }),
      () => deposit(world, { provider, vault, assets: 10n }),
    ]) {
      const id = await world.chain.snapshot()
      expect(await canRedeem(vault, GAS / 6n)).toBe(false)
      await call()
      expect(await canRedeem(vault, GAS / 6n)).toBe(true)
      await world.chain.revert({ id })
    }
  })

  test('has the same value and takes payments in the same way after calls for any days, also future ones', async () => {
    const { payer, stranger: sender } = world.parties
    const { vault, claimIds } = await idleVault()
    const now = await today()
    const time = await chainTime(world)
    const moments = [100n, 3_600n, 40n * DAY, 180n * DAY].map((seconds) => time + seconds)
    const days = [0n, now - 500n, now - 130n, now - 170n, now + 1n, now + 10_000n, maxUint256, now - 1n]
    const forward = async () => {
      for (const day of days) await carryForward(world, { sender, vault, day })
    }
    const pay = async () => {
      for (const claimId of [...claimIds.slice(0, 1), ...claimIds.slice(-1)]) {
        await mintAndSettle(world, { payer, claimId })
      }
    }
    expect(await valuesAfter(vault, forward, moments)).toEqual(
      await valuesAfter(vault, async () => {}, moments),
    )
    const both = () => forward().then(pay)
    expect(await valuesAfter(vault, both, moments)).toEqual(await valuesAfter(vault, pay, moments))
  })
})
