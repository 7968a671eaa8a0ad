/** A recipient that a token does not pay is credited, and stops nobody else's payment. */
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  claimOf,
  createFundedVault,
  DAY,
  executeFinancing,
  mint,
  mintAndPay,
  mintAndSettle,
  pauseRouter,
  registerClaim,
  releaseRepayment,
  setBlocked,
  setTokenListed,
  settle,
  travelTo,
  unpauseRouter,
  vaultCapital,
  withdrawCredit,
} from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let token: Address
beforeAll(async () => {
  world = await startWorld()
  token = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
  await setTokenListed(world, { token, listed: true })
})
afterAll(() => world.stop())

/** A claim of 1 000 that is due, of which two vaults financed 300 and 500. */
async function dueClaim(): Promise<{ claimId: Hex; first: Address; second: Address }> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 1_000n }
  const { claimId, attestation } = await registerClaim(world, terms)
  const first = await createFundedVault(world, { token, capital: 10_000n })
  const second = await createFundedVault(world, { token, capital: 10_000n })
  await executeFinancing(world, { user: beneficiary, claimId, vault: first, faceAmount: 300n })
  await executeFinancing(world, { user: beneficiary, claimId, vault: second, faceAmount: 500n })
  await travelTo(world, attestation.dueDate)
  return { claimId, first, second }
}

async function whileBlocked<result>(account: Address, run: () => Promise<result>): Promise<result> {
  await setBlocked(world, { token, account, blocked: true })
  try {
    return await run()
  } finally {
    await setBlocked(world, { token, account, blocked: false })
  }
}

function creditOf(account: Address): Promise<bigint> {
  const address = world.protocol.financingRouter
  return world.chain.readContract({
    abi: financingRouterAbi,
    address,
    functionName: 'credits',
    args: [account, token],
  })
}

describe('a blocked beneficiary', () => {
  test('is credited, and the vaults are paid', async () => {
    const { beneficiary, payer } = world.parties
    const { claimId, first, second } = await dueClaim()

    const receipt = await whileBlocked(beneficiary.address, () => mintAndSettle(world, { payer, claimId }))

    const credited = eventsOf(receipt).filter(({ name }) => name === 'Credited')
    expect(credited).toEqual([
      {
        emitter: world.protocol.financingRouter,
        name: 'Credited',
        args: { claimId, account: beneficiary.address, token, amount: 200n },
      },
    ])
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
    expect(await vaultCapital(world, first)).toMatchObject({ idleAssets: 10_003n, outstandingFace: 0n })
    expect(await vaultCapital(world, second)).toMatchObject({ idleAssets: 10_005n, outstandingFace: 0n })
    expect(await creditOf(beneficiary.address)).toBe(200n)
    expect(await balanceOf(world, token, world.protocol.financingRouter)).toBe(200n)

    const withdraw = () => withdrawCredit(world, { account: beneficiary, token })
    const before = await balanceOf(world, token, beneficiary.address)
    const withdrawal = await withdraw()
    expect(eventsOf(withdrawal).filter(({ name }) => name !== 'Transfer')).toEqual([
      {
        emitter: world.protocol.financingRouter,
        name: 'CreditWithdrawn',
        args: { account: beneficiary.address, token, amount: 200n },
      },
    ])
    expect(await balanceOf(world, token, beneficiary.address)).toBe(before + 200n)
    expect(await revertOf(withdraw())).toEqual({
      errorName: 'NoCredit',
      args: [beneficiary.address, token],
    })
  })

  test('stays credited while it is blocked: nobody else receives its credit, and no claim of it is financed', async () => {
    const { issuer, beneficiary, stranger, payer } = world.parties
    const { claimId } = await dueClaim()
    const vault = await createFundedVault(world, { token, capital: 10_000n })
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 1_000n }
    const other = await registerClaim(world, terms)
    await whileBlocked(beneficiary.address, async () => {
      await mintAndSettle(world, { payer, claimId })
      const blocked = { errorName: 'AccountBlocked', args: [beneficiary.address] }
      expect(await revertOf(withdrawCredit(world, { account: beneficiary, token }))).toEqual(blocked)
      const financing = { user: beneficiary, claimId: other.claimId, vault, faceAmount: 1_000n }
      expect(await revertOf(executeFinancing(world, financing))).toEqual(blocked)
      expect(await revertOf(withdrawCredit(world, { account: stranger, token }))).toEqual({
        errorName: 'NoCredit',
        args: [stranger.address, token],
      })
    })
    expect(await creditOf(beneficiary.address)).toBe(200n)
    expect(await balanceOf(world, token, world.protocol.financingRouter)).toBe(200n)
    await withdrawCredit(world, { account: beneficiary, token })
    expect(await creditOf(beneficiary.address)).toBe(0n)
  })

  test('withdraws the credits of several settlements together, also while the router is paused', async () => {
    const { beneficiary, payer } = world.parties
    const claims = [await dueClaim(), await dueClaim()]
    await whileBlocked(beneficiary.address, async () => {
      for (const { claimId } of claims) await mintAndSettle(world, { payer, claimId })
    })
    const before = await balanceOf(world, token, beneficiary.address)
    await pauseRouter(world)
    await withdrawCredit(world, { account: beneficiary, token })
    await unpauseRouter(world)
    expect(await balanceOf(world, token, beneficiary.address)).toBe(before + 400n)
  })
})

describe('a blocked vault', () => {
  test('books its repayment when anyone releases it, and the others are paid at once', async () => {
    const { beneficiary, payer, stranger } = world.parties
    const { claimId, first, second } = await dueClaim()
    const before = await balanceOf(world, token, beneficiary.address)

    await whileBlocked(first, () => mintAndSettle(world, { payer, claimId }))

    expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
    expect(await balanceOf(world, token, beneficiary.address)).toBe(before + 200n)
    expect(await vaultCapital(world, second)).toMatchObject({ outstandingFace: 0n })
    expect(await vaultCapital(world, first)).toMatchObject({ idleAssets: 9_703n, outstandingFace: 300n })
    expect(await creditOf(first)).toBe(300n)
    const ofClaim = { sender: stranger, claimId }
    expect(await revertOf(releaseRepayment(world, { ...ofClaim, sliceIndex: 1 }))).toEqual({
      errorName: 'RepaymentNotHeld',
      args: [claimId, 1n],
    })
    await whileBlocked(first, async () => {
      const refused = await revertOf(releaseRepayment(world, { ...ofClaim, sliceIndex: 0 }))
      expect(refused).toEqual({ errorName: 'AccountBlocked', args: [first] })
    })
    // Until it is booked, the slice counts as one that is not paid.
    const { dueDate } = await claimOf(world, claimId)
    await travelTo(world, dueDate + 91n * DAY)
    expect(await vaultCapital(world, first)).toMatchObject({ totalAssets: 9_703n, entryAssets: 10_003n })

    const receipt = await releaseRepayment(world, { ...ofClaim, sliceIndex: 0 })

    expect(eventsOf(receipt).map(({ name }) => name)).toEqual(['CreditWithdrawn', 'Transfer', 'Repaid'])
    expect(await vaultCapital(world, first)).toMatchObject({
      idleAssets: 10_003n,
      outstandingFace: 0n,
      totalAssets: 10_003n,
      entryAssets: 10_003n,
    })
    expect([await creditOf(first), await balanceOf(world, token, first)]).toEqual([0n, 10_003n])
    expect(await revertOf(releaseRepayment(world, { ...ofClaim, sliceIndex: 0 }))).toMatchObject({
      errorName: 'RepaymentNotHeld',
    })
  })
})

describe('a vault that is blocked for some payments of several', () => {
  /** A claim of 300 that is due, which one vault financed with 297. */
  async function partlyPaid() {
    const { issuer, beneficiary, payer, stranger: sender } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 300n }
    const { claimId, attestation } = await registerClaim(world, terms)
    const vault = await createFundedVault(world, { token, capital: 10_000n })
    await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 300n })
    await travelTo(world, attestation.dueDate)
    const payPart = (faceAmount: bigint) => mintAndPay(world, { payer, claimId, faceAmount })
    const release = () => releaseRepayment(world, { sender, claimId, sliceIndex: 0 })
    return { vault, payPart, release }
  }
  const advancesOf = (receipt: Parameters<typeof eventsOf>[0]) =>
    eventsOf(receipt).flatMap(({ name, args }) => (name === 'Repaid' ? [args] : []))

  test('books all that the router holds of its slice at once', async () => {
    const { vault, payPart, release } = await partlyPaid()
    for (const part of [50n, 70n]) await whileBlocked(vault, () => payPart(part))
    expect(await creditOf(vault)).toBe(120n)
    // 118.8 were advanced for 120.
    expect(advancesOf(await release())).toMatchObject([{ faceAmount: 120n, advanceAmount: 118n }])
    expect(await creditOf(vault)).toBe(0n)
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 9_823n, outstandingFace: 180n })
    expect(advancesOf(await payPart(180n))).toMatchObject([{ faceAmount: 180n, advanceAmount: 179n }])
  })

  test('books each part of its advance once, whichever payment it books first', async () => {
    const { vault, payPart, release } = await partlyPaid()
    // 297 were advanced for 300, so 49.5 for a part of 50: 49 in the first one that is booked, 50 in the next one.
    await whileBlocked(vault, () => payPart(50n))
    expect(advancesOf(await payPart(50n))).toMatchObject([{ faceAmount: 50n, advanceAmount: 49n }])
    expect(advancesOf(await release())).toMatchObject([{ faceAmount: 50n, advanceAmount: 50n }])
    expect(advancesOf(await payPart(200n))).toMatchObject([{ faceAmount: 200n, advanceAmount: 198n }])
    expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 10_003n, outstandingFace: 0n })
  })
})

describe('a payer who cannot pay', () => {
  test('is refused with the error of the token, also when recipients are blocked', async () => {
    const { beneficiary, relayer } = world.parties
    const { claimId } = await dueClaim()
    await whileBlocked(beneficiary.address, async () => {
      const refused = await revertOf(settle(world, { payer: relayer, claimId }))
      expect(refused).toMatchObject({ errorName: 'ERC20InsufficientAllowance' })
    })
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'PARTIALLY_FUNDED' })
    expect(await creditOf(beneficiary.address)).toBe(0n)
  })

  test('is refused when the payer itself is blocked', async () => {
    const { payer } = world.parties
    const { claimId } = await dueClaim()
    await mint(world, { token, to: payer.address, amount: 1_000n })
    const spender = world.protocol.financingRouter
    await approve(world, { owner: payer, token, spender, amount: 1_000n })
    const refused = await whileBlocked(payer.address, () => revertOf(settle(world, { payer, claimId })))
    expect(refused).toEqual({ errorName: 'AccountBlocked', args: [payer.address] })
    await settle(world, { payer, claimId })
  })
})
