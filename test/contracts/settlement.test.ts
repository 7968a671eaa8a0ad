import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld } from '../support/protocol.ts'
import {
  approve,
  balanceOf,
  ClaimState,
  type ClaimTerms,
  claimOf,
  createFundedVault,
  DAY,
  executeFinancing,
  executeRoute,
  mint,
  mintAndPay,
  mintAndSettle,
  pauseRouter,
  pay,
  registerClaim,
  revokeClaim,
  setIssuerActive,
  settle,
  setVaultActive,
  travelTo,
  unpauseRouter,
  vaultCapital,
} from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const newVault = () => createFundedVault(world, { token: world.usd, capital: 10_000n })

async function newClaim(change: Partial<ClaimTerms> = {}): Promise<{ claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n, ...change }
  const { claimId, attestation } = await registerClaim(world, terms)
  return { claimId, dueDate: attestation.dueDate }
}

test('a settlement pays every vault the face it financed and the beneficiary the rest', async () => {
  const { beneficiary, payer } = world.parties
  const [first, second] = [await newVault(), await newVault()]
  const { claimId, dueDate } = await newClaim()
  await executeRoute(world, { user: beneficiary, legs: [{ claimId, vault: first, faceAmount: 300n }] })
  await executeFinancing(world, { user: beneficiary, claimId, vault: second, faceAmount: 500n })
  const before = await balanceOf(world, world.usd, beneficiary.address)
  await travelTo(world, dueDate)

  const receipt = await mintAndSettle(world, { payer, claimId })

  const paid = (to: string, value: bigint) => ({
    emitter: world.usd,
    name: 'Transfer',
    args: { from: payer.address, to, value },
  })
  const repaid = (emitter: string, sliceIndex: number, faceAmount: bigint, advanceAmount: bigint) => ({
    emitter,
    name: 'Repaid',
    args: { claimId, sliceIndex, faceAmount, advanceAmount },
  })
  const amounts = {
    faceAmount: 1_000n,
    paidFaceValue: 1_000n,
    sliceAmounts: [300n, 500n],
    beneficiaryAmount: 200n,
  }
  expect(eventsOf(receipt)).toEqual([
    {
      emitter: world.protocol.claimRegistry,
      name: 'ClaimStateChanged',
      args: { claimId, from: ClaimState.PARTIALLY_FUNDED, to: ClaimState.SETTLED },
    },
    {
      emitter: world.protocol.financingRouter,
      name: 'ClaimPaid',
      args: { claimId, payer: payer.address, token: world.usd, ...amounts },
    },
    paid(first, 300n),
    repaid(first, 0, 300n, 297n),
    paid(second, 500n),
    repaid(second, 1, 500n, 495n),
    paid(beneficiary.address, 200n),
  ])
  const nothingOut = { outstandingFace: 0n, outstandingAdvance: 0n }
  expect(await vaultCapital(world, first)).toMatchObject({ idleAssets: 10_003n, ...nothingOut })
  expect(await vaultCapital(world, second)).toMatchObject({ idleAssets: 10_005n, ...nothingOut })
  expect(await balanceOf(world, world.usd, first)).toBe(10_003n)
  expect(await balanceOf(world, world.usd, beneficiary.address)).toBe(before + 200n)
  expect(await balanceOf(world, world.usd, payer.address)).toBe(0n)
})

test('a claim that is financed in full pays its beneficiary nothing more', async () => {
  const { beneficiary, payer } = world.parties
  const vault = await newVault()
  const { claimId, dueDate } = await newClaim()
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 1_000n })
  await travelTo(world, dueDate)
  const receipt = await mintAndSettle(world, { payer, claimId })
  const transfers = eventsOf(receipt).filter((event) => event.name === 'Transfer')
  expect(transfers.map((event) => event.args)).toEqual([{ from: payer.address, to: vault, value: 1_000n }])
})

test('repayment goes on while the router is paused and the issuer and the vault are inactive', async () => {
  const { beneficiary, otherIssuer, payer } = world.parties
  const vault = await newVault()
  const { claimId, dueDate } = await newClaim({ issuer: otherIssuer })
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 1_000n })
  await pauseRouter(world)
  await setVaultActive(world, { vault, active: false })
  await setIssuerActive(world, { issuer: otherIssuer.address, active: false })
  await travelTo(world, dueDate)
  await mintAndSettle(world, { payer, claimId })
  await unpauseRouter(world)
  await setIssuerActive(world, { issuer: otherIssuer.address, active: true })
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
})

test('a claim is settled before it is due, and its vault earns the discount as if it was paid then', async () => {
  const { beneficiary, payer } = world.parties
  const vault = await newVault()
  const { claimId, dueDate } = await newClaim()
  await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 600n })
  const before = await balanceOf(world, world.usd, beneficiary.address)

  await mintAndSettle(world, { payer, claimId })

  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
  expect(await balanceOf(world, world.usd, beneficiary.address)).toBe(before + 400n)
  expect(await vaultCapital(world, vault)).toMatchObject({ idleAssets: 10_006n, totalAssets: 10_000n })
  await travelTo(world, (dueDate / DAY + 1n) * DAY)
  expect(await vaultCapital(world, vault)).toMatchObject({ totalAssets: 10_006n, entryAssets: 10_006n })
})

test('parts of any size and order pay the same shares as one payment, and the advance in proportion', async () => {
  const { beneficiary, payer } = world.parties
  const [first, second] = [await newVault(), await newVault()]
  const { claimId, dueDate } = await newClaim({ faceValue: 1_001n })
  await executeFinancing(world, { user: beneficiary, claimId, vault: first, faceAmount: 333n })
  await executeFinancing(world, { user: beneficiary, claimId, vault: second, faceAmount: 500n })
  const own = await balanceOf(world, world.usd, beneficiary.address)
  await travelTo(world, dueDate)

  let paid = 0n
  for (const faceAmount of [1n, 1n, 7n, 300n, 691n]) {
    const receipt = await mintAndPay(world, { payer, claimId, faceAmount })
    paid += faceAmount
    const ofFirst = (333n * paid) / 1_001n
    const ofSecond = (500n * (paid - ofFirst)) / 668n
    const left = { claim: 1_001n - paid, first: 333n - ofFirst, second: 500n - ofSecond }
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'PARTIALLY_FUNDED', paidFaceValue: paid })
    expect(await vaultCapital(world, first)).toMatchObject({
      outstandingFace: left.first,
      outstandingAdvance: 329n - (329n * ofFirst) / 333n,
    })
    expect(await vaultCapital(world, second)).toMatchObject({ outstandingFace: left.second })
    expect(await balanceOf(world, world.usd, beneficiary.address)).toBe(own + paid - ofFirst - ofSecond)
    expect(eventsOf(receipt).find(({ name }) => name === 'ClaimPaid')?.args).toMatchObject({
      faceAmount,
      paidFaceValue: paid,
    })
  }

  await mintAndSettle(world, { payer, claimId })

  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED', paidFaceValue: 1_001n })
  expect(await vaultCapital(world, first)).toMatchObject({ outstandingFace: 0n, outstandingAdvance: 0n })
  expect(await vaultCapital(world, second)).toMatchObject({ outstandingFace: 0n, outstandingAdvance: 0n })
  expect(await balanceOf(world, world.usd, beneficiary.address)).toBe(own + 168n)
})

test('the part that pays all that is unpaid, or would pay more, settles the claim', async () => {
  const { payer } = world.parties
  const { claimId, dueDate } = await newClaim()
  await travelTo(world, dueDate)
  const before = await balanceOf(world, world.usd, payer.address)
  await mintAndPay(world, { payer, claimId, faceAmount: 400n })
  await mintAndPay(world, { payer, claimId, faceAmount: 999n })
  expect(await balanceOf(world, world.usd, payer.address)).toBe(before + 399n)
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED', paidFaceValue: 1_000n })
})

test('a part is refused before the due date, of nothing, of another token, and of a claim that is paid or unknown', async () => {
  const { payer } = world.parties
  const { claimId, dueDate } = await newClaim()
  expect(await revertOf(pay(world, { payer, claimId, faceAmount: 1n }))).toMatchObject({
    errorName: 'ClaimNotDue',
    args: [claimId, dueDate, expect.any(BigInt)],
  })
  await travelTo(world, dueDate)
  await mintAndPay(world, { payer, claimId, faceAmount: 400n })
  expect(await revertOf(pay(world, { payer, claimId, faceAmount: 0n }))).toEqual({
    errorName: 'FaceExceedsUnpaid',
    args: [claimId, 0n, 600n],
  })
  expect(await revertOf(pay(world, { payer, claimId, faceAmount: 1n, token: world.eur }))).toEqual({
    errorName: 'UnexpectedToken',
    args: [world.eur, world.usd],
  })
  expect(
    await revertOf(pay(world, { payer, claimId: `0x${'cd'.repeat(32)}`, faceAmount: 1n, token: world.usd })),
  ).toMatchObject({
    errorName: 'UnknownClaim',
  })
  await mintAndSettle(world, { payer, claimId })
  expect(await revertOf(pay(world, { payer, claimId, faceAmount: 1n }))).toEqual({
    errorName: 'ClaimNotSettleable',
    args: [claimId, ClaimState.SETTLED],
  })
})

describe('a settlement is refused', () => {
  test('for an unknown, a revoked or a settled claim', async () => {
    const { issuer, payer } = world.parties
    const unknown: Hex = `0x${'ab'.repeat(32)}`
    const ofUnknown = await revertOf(settle(world, { payer, claimId: unknown }))
    expect(ofUnknown).toEqual({ errorName: 'UnknownClaim', args: [unknown] })
    const revoked = await newClaim()
    await revokeClaim(world, { issuer, claimId: revoked.claimId })
    const settled = await newClaim()
    await travelTo(world, settled.dueDate)
    await mintAndSettle(world, { payer, claimId: settled.claimId })
    for (const [claimId, state] of [
      [revoked.claimId, ClaimState.REVOKED],
      [settled.claimId, ClaimState.SETTLED],
    ] as const) {
      const refused = await revertOf(settle(world, { payer, claimId }))
      expect(refused).toEqual({ errorName: 'ClaimNotSettleable', args: [claimId, state] })
    }
  })

  test('with another token than the claim has, or with a lower maximum than its unpaid face', async () => {
    const { payer } = world.parties
    const { claimId, dueDate } = await newClaim()
    await travelTo(world, dueDate)
    expect(await revertOf(settle(world, { payer, claimId, token: world.eur }))).toEqual({
      errorName: 'UnexpectedToken',
      args: [world.eur, world.usd],
    })
    const exceeded = (unpaid: bigint) => ({
      errorName: 'AmountExceedsMaximum',
      args: [unpaid, unpaid - 1n],
    })
    expect(await revertOf(settle(world, { payer, claimId, maxAmount: 999n }))).toEqual(exceeded(1_000n))
    await mint(world, { token: world.usd, to: payer.address, amount: 1_000n })
    await approve(world, {
      owner: payer,
      token: world.usd,
      spender: world.protocol.financingRouter,
      amount: 1_000n,
    })
    await pay(world, { payer, claimId, faceAmount: 400n })
    expect(await revertOf(settle(world, { payer, claimId, maxAmount: 599n }))).toEqual(exceeded(600n))
    await settle(world, { payer, claimId, maxAmount: 600n })
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  test('without the allowance or the balance for the whole face', async () => {
    const { stranger: payer, beneficiary } = world.parties
    const vault = await newVault()
    const { claimId, dueDate } = await newClaim()
    await executeFinancing(world, { user: beneficiary, claimId, vault, faceAmount: 600n })
    await travelTo(world, dueDate)
    const spender = world.protocol.financingRouter
    await mint(world, { token: world.usd, to: payer.address, amount: 999n })
    await approve(world, { owner: payer, token: world.usd, spender, amount: 999n })
    expect(await revertOf(settle(world, { payer, claimId }))).toEqual({
      errorName: 'ERC20InsufficientAllowance',
      args: [spender, 399n, 400n],
    })
    await approve(world, { owner: payer, token: world.usd, spender, amount: 1_000n })
    expect(await revertOf(settle(world, { payer, claimId }))).toEqual({
      errorName: 'ERC20InsufficientBalance',
      args: [payer.address, 399n, 400n],
    })
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'PARTIALLY_FUNDED' })
  })
})
