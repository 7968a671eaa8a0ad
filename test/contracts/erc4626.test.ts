/** Every MUST of ERC-4626 about limits, previews and conversions, in every condition of a vault. */
import { type Address, encodeFunctionData, hexToBigInt, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import type { Party } from '../support/parties.ts'
import { startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  chainTime,
  createFundedVault,
  createVault,
  DAY,
  deposit,
  depositOwned,
  executeFinancing,
  mint,
  mintAndSettle,
  redeem,
  registerClaim,
  setVaultActive,
  travelTo,
  vaultCapital,
  withdraw,
} from '../support/scenario.ts'
import { dryRun, eventsOf, revertOf, send } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let holder: Party
let outsider: Party
let newcomer: Party
beforeAll(async () => {
  world = await startWorld()
  holder = world.parties.provider
  outsider = world.parties.stranger
  newcomer = world.parties.relayer
  await mint(world, { token: world.usd, to: outsider.address, amount: 2n ** 200n })
})
afterAll(() => world.stop())

const CAPITAL = 1_000_003n
const MAX_ASSETS = 2n ** 192n - 1n
const VIRTUAL_SHARES = 10n ** 6n

/** Finances half of the capital, or as much as there is; due in the last second of a day, in 20 days. */
async function finance(vault: Address, faceAmount = CAPITAL / 2n) {
  const { issuer, beneficiary } = world.parties
  const overdueFrom = ((await chainTime(world)) / DAY + 21n) * DAY
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: faceAmount }
  const { claimId } = await registerClaim(world, { ...terms, dueDate: overdueFrom - 1n })
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount })
  return { claimId, overdueFrom }
}

const funded = () => createFundedVault(world, { token: world.usd, capital: CAPITAL })

async function late(vault: Address, days: bigint, faceAmount = CAPITAL / 2n) {
  const { claimId, overdueFrom } = await finance(vault, faceAmount)
  await travelTo(world, overdueFrom + days * DAY + 12_345n)
  return claimId
}

/** A share costs about 100 units, and there is room for 50. */
async function nearlyFull(): Promise<Address> {
  const pricing = { baseDiscountBps: 9_999 }
  const vault = await createFundedVault(world, { token: world.usd, capital: 10n ** 12n, pricing })
  for (const faceAmount of [10n ** 16n, 10n ** 20n]) {
    const { claimId, overdueFrom } = await finance(vault, faceAmount)
    await travelTo(world, overdueFrom)
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
  }
  await allow(vault)
  const assets = await limit(vault, 'maxDeposit', outsider)
  await depositOwned(world, { provider: outsider, vault, assets: assets - 50n })
  return vault
}

const CONDITIONS: Record<string, () => Promise<Address>> = {
  'without a deposit': async () => (await createVault(world, { token: world.usd })).vault,
  'with idle assets alone': funded,
  'with a claim that earns its discount': async () => {
    const vault = await funded()
    const { overdueFrom } = await finance(vault)
    await travelTo(world, overdueFrom - 7n * DAY)
    return vault
  },
  'with fewer idle assets than its shares are worth': async () => {
    const vault = await funded()
    await finance(vault, (CAPITAL * 9n) / 10n)
    await withdraw(world, { provider: holder, vault, assets: CAPITAL / 20n })
    return vault
  },
  'with a claim that is partly written down': async () => {
    const vault = await funded()
    await late(vault, 45n)
    return vault
  },
  'with idle assets short and a loss': async () => {
    const vault = await funded()
    await late(vault, 30n, CAPITAL)
    await deposit(world, { provider: holder, vault, assets: 1_000n })
    return vault
  },
  'after a total loss': async () => {
    const vault = await createFundedVault(world, {
      token: world.usd,
      capital: CAPITAL,
      pricing: { baseDiscountBps: 0 },
    })
    await late(vault, 91n, CAPITAL)
    return vault
  },
  'after a loss that was paid, without a holder': async () => {
    const vault = await funded()
    const claimId = await late(vault, 100n)
    await redeem(world, {
      provider: holder,
      vault,
      shares: await balanceOf(world, vault, holder.address),
    })
    await mintAndSettle(world, { payer: world.parties.payer, claimId })
    return vault
  },
  'at its bound': async () => {
    const vault = await funded()
    await allow(vault)
    await depositOwned(world, { provider: outsider, vault, assets: MAX_ASSETS - CAPITAL })
    return vault
  },
  'above its bound': async () => {
    const vault = await funded()
    const { overdueFrom } = await finance(vault)
    await allow(vault)
    const assets = await limit(vault, 'maxDeposit', outsider)
    await depositOwned(world, { provider: outsider, vault, assets: assets - 10n })
    await travelTo(world, overdueFrom)
    return vault
  },
  'with less room than a share costs': nearlyFull,
  'that is inactive': async () => {
    const vault = await funded()
    await late(vault, 10n)
    await setVaultActive(world, { vault, active: false })
    return vault
  },
}

type Limit = 'maxDeposit' | 'maxMint' | 'maxWithdraw' | 'maxRedeem'
type Preview = 'previewDeposit' | 'previewMint' | 'previewWithdraw' | 'previewRedeem'
type Conversion = 'convertToShares' | 'convertToAssets'

function limit(vault: Address, functionName: Limit, { address: owner }: Party): Promise<bigint> {
  return world.chain.readContract({ abi, address: vault, functionName, args: [owner] })
}

function amountOf(
  vault: Address,
  functionName: Preview | Conversion,
  amount: bigint,
  caller = outsider,
): Promise<bigint> {
  const args = [amount] as const
  return world.chain.readContract({ abi, address: vault, functionName, args, account: caller.address })
}

/** The result that the function would have in the next block, in the second of the last one. */
async function tryCall(vault: Address, action: Action, as: Party, amount: bigint): Promise<bigint> {
  const data =
    action === 'deposit' || action === 'mint'
      ? encodeFunctionData({ abi, functionName: action, args: [amount, as.address] })
      : encodeFunctionData({ abi, functionName: action, args: [amount, as.address, as.address] })
  return hexToBigInt(await dryRun(world.chain, as, { to: vault, data }))
}

async function allow(vault: Address): Promise<void> {
  await approve(world, { owner: outsider, token: world.usd, spender: vault, amount: maxUint256 })
}

const ACTIONS = [
  { action: 'deposit', max: 'maxDeposit', preview: 'previewDeposit', error: 'ERC4626ExceededMaxDeposit' },
  { action: 'mint', max: 'maxMint', preview: 'previewMint', error: 'ERC4626ExceededMaxMint' },
  { action: 'withdraw', max: 'maxWithdraw', preview: 'previewWithdraw', error: 'ERC4626ExceededMaxWithdraw' },
  { action: 'redeem', max: 'maxRedeem', preview: 'previewRedeem', error: 'ERC4626ExceededMaxRedeem' },
] as const
type Action = (typeof ACTIONS)[number]['action']
const isEntry = (action: Action) => action === 'deposit' || action === 'mint'
const AMOUNTS = [1n, 2n, 7n, 1_000n, 999_983n, 10n ** 12n + 39n, 10n ** 30n]

const ceil = (amount: bigint, by: bigint) => (amount + by - 1n) / by

describe.each(Object.entries(CONDITIONS))('a vault %s', (_, create) => {
  let vault: Address
  beforeAll(async () => {
    vault = await create()
    await allow(vault)
    // All calls see one second, as those of one transaction do.
    await world.chain.setBlockTimestampInterval({ interval: 0 })
    await world.chain.mine({ blocks: 1 })
  })
  afterAll(() => world.chain.removeBlockTimestampInterval())

  test.each(ACTIONS)('$max: $action takes exactly that, and not one more', async ({ action, max, error }) => {
    const as = isEntry(action) ? outsider : holder
    const most = await limit(vault, max, as)
    if (most > 0n) expect(await tryCall(vault, action, as, most)).toBeGreaterThanOrEqual(0n)
    expect(await revertOf(tryCall(vault, action, as, most + 1n))).toEqual({
      errorName: error,
      args: [as.address, most + 1n, most],
    })
  })

  test.each(ACTIONS)('$preview returns what $action returns', async ({ action, max, preview }) => {
    const as = isEntry(action) ? outsider : holder
    const most = await limit(vault, max, as)
    for (const amount of [...AMOUNTS, most / 2n, most]) {
      const foreseen = await amountOf(vault, preview, amount)
      // Nothing to move, or a deposit that the vault refuses for its own reason.
      if (amount === 0n || amount > most || (action === 'deposit' && foreseen === 0n)) continue
      expect(await tryCall(vault, action, as, amount)).toBe(foreseen)
    }
  })

  test.each(ACTIONS)('$preview ignores limits and who asks', async ({ max, preview }) => {
    const most = await limit(vault, max, outsider)
    for (const amount of [...AMOUNTS, most + 1n]) {
      const foreseen = await amountOf(vault, preview, amount, outsider)
      expect(await amountOf(vault, preview, amount, holder)).toBe(foreseen)
      expect(await amountOf(vault, preview, amount, newcomer)).toBe(foreseen)
    }
  })

  test('previews take the price of entry up and that of exit down, and round against the caller', async () => {
    const { totalAssets, entryAssets, totalSupply } = await vaultCapital(world, vault)
    const supply = totalSupply + VIRTUAL_SHARES
    for (const amount of AMOUNTS) {
      expect(await Promise.all(ACTIONS.map(({ preview }) => amountOf(vault, preview, amount)))).toEqual([
        (amount * supply) / (entryAssets + 1n),
        ceil(amount * (entryAssets + 1n), supply),
        ceil(amount * supply, totalAssets + 1n),
        (amount * (totalAssets + 1n)) / supply,
      ])
    }
  })

  test('conversions round down at the value of the exit, for every caller, and never create value', async () => {
    const { totalAssets, totalSupply } = await vaultCapital(world, vault)
    const supply = totalSupply + VIRTUAL_SHARES
    for (const amount of [0n, ...AMOUNTS]) {
      for (const caller of [holder, outsider, newcomer]) {
        const shares = await amountOf(vault, 'convertToShares', amount, caller)
        expect(shares).toBe((amount * supply) / (totalAssets + 1n))
        expect(await amountOf(vault, 'convertToAssets', amount, caller)).toBe(
          (amount * (totalAssets + 1n)) / supply,
        )
        expect(await amountOf(vault, 'convertToAssets', shares, caller)).toBeLessThanOrEqual(amount)
      }
    }
  })

  test('nobody gains by entering and leaving', async () => {
    for (const amount of AMOUNTS) {
      const shares = await amountOf(vault, 'previewDeposit', amount)
      expect(await amountOf(vault, 'previewRedeem', shares)).toBeLessThanOrEqual(amount)
      const assets = await amountOf(vault, 'previewMint', amount)
      expect(await amountOf(vault, 'previewWithdraw', assets)).toBeGreaterThanOrEqual(amount)
    }
  })

  test('limits of an account without shares are zero, and those of a deposit are the same for everyone', async () => {
    expect(await limit(vault, 'maxWithdraw', newcomer)).toBe(0n)
    expect(await limit(vault, 'maxRedeem', newcomer)).toBe(0n)
    for (const name of ['maxDeposit', 'maxMint'] as const) {
      expect(await limit(vault, name, newcomer)).toBe(await limit(vault, name, holder))
    }
  })

  test('an entry that brings no share is refused, whatever the limit', async () => {
    for (const action of ['deposit', 'mint'] as const) {
      const refused = await revertOf(tryCall(vault, action, outsider, 0n))
      expect(refused).toEqual({ errorName: 'NoShares', args: [] })
    }
  })
})

describe('limits', () => {
  test('of entry are the room below 2^192, and zero for an inactive vault', async () => {
    const vault = await funded()
    expect(await limit(vault, 'maxDeposit', outsider)).toBe(MAX_ASSETS - CAPITAL)
    expect(await limit(vault, 'maxMint', outsider)).toBe((MAX_ASSETS - CAPITAL) * VIRTUAL_SHARES)
    await allow(vault)
    await depositOwned(world, { provider: outsider, vault, assets: MAX_ASSETS - CAPITAL })
    expect([await limit(vault, 'maxDeposit', holder), await limit(vault, 'maxMint', holder)]).toEqual([
      0n,
      0n,
    ])
    expect(await limit(vault, 'maxWithdraw', outsider)).toBe(MAX_ASSETS - CAPITAL)

    const other = await funded()
    await setVaultActive(world, { vault: other, active: false })
    expect([await limit(other, 'maxDeposit', holder), await limit(other, 'maxMint', holder)]).toEqual([
      0n,
      0n,
    ])
  })

  test('of entry are zero where the room is less than a share costs', async () => {
    const vault = await nearlyFull()
    expect(await vaultCapital(world, vault)).toMatchObject({ entryAssets: MAX_ASSETS - 50n })
    expect([await limit(vault, 'maxDeposit', holder), await limit(vault, 'maxMint', holder)]).toEqual([
      0n,
      0n,
    ])
  })

  test('let the last holder redeem everything, also where a share is worth less than it cost', async () => {
    const vault = await funded()
    await late(vault, 90n)
    const shares = await balanceOf(world, vault, holder.address)
    const { totalAssets, entryAssets } = await vaultCapital(world, vault)
    expect(totalAssets).toBeLessThan((entryAssets * 6n) / 10n)
    expect(await limit(vault, 'maxRedeem', holder)).toBe(shares)
    await redeem(world, { provider: holder, vault, shares })
    expect(await vaultCapital(world, vault)).toMatchObject({ totalSupply: 0n })
  })
})

describe('shares of another holder', () => {
  test('are withdrawn and redeemed by who has an allowance of them, and by nobody else', async () => {
    const vault = await funded()
    const args = [100n, outsider.address, holder.address] as const
    const take = async (functionName: 'withdraw' | 'redeem') =>
      send(world.chain, outsider, { to: vault, data: encodeFunctionData({ abi, functionName, args }) })
    for (const name of ['withdraw', 'redeem'] as const) {
      expect(await revertOf(take(name))).toMatchObject({ errorName: 'ERC20InsufficientAllowance' })
      const shares = name === 'withdraw' ? 100n * VIRTUAL_SHARES : 100n
      await approve(world, { owner: holder, token: vault, spender: outsider.address, amount: shares })
      const withdrawn = eventsOf(await take(name)).find((event) => event.name === 'Withdraw')
      expect(withdrawn?.args).toEqual({
        sender: outsider.address,
        receiver: outsider.address,
        owner: holder.address,
        assets: name === 'withdraw' ? 100n : 0n,
        shares,
      })
    }
  })
})
