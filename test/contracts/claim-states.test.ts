import { type Address, encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { claimIdOf } from '../../api/typed-data/claim-attestation.ts'
import type { Party } from '../support/parties.ts'
import { startWorld } from '../support/protocol.ts'
import {
  allocationsOf,
  attestationOf,
  balanceOf,
  ClaimState,
  cancelAttestation,
  claimOf,
  claimOfDocument,
  createFundedVault,
  DAY,
  executeFinancing,
  executeRoute,
  mintAndPay,
  mintAndSettle,
  pauseRouter,
  quoteOf,
  registerClaim,
  revokeClaim,
  signAttestation,
  submitAttestation,
  travelTo,
  unpauseRouter,
  vaultCapital,
} from '../support/scenario.ts'
import { dryRun, eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let vault: Address
beforeAll(async () => {
  world = await startWorld()
  vault = await createFundedVault(world, { token: world.usd, capital: 1_000_000n })
})
afterAll(() => world.stop())

async function newClaim(faceValue = 1_000n): Promise<{ claimId: Hex; dueDate: bigint }> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue }
  const { claimId, attestation } = await registerClaim(world, terms)
  return { claimId, dueDate: attestation.dueDate }
}

function finance(claimId: Hex, faceAmount: bigint) {
  return executeFinancing(world, { user: world.parties.beneficiary, claimId, vault, faceAmount })
}

const usdOf = (party: Party) => balanceOf(world, world.usd, party.address)

function transitionsIn(receipt: Parameters<typeof eventsOf>[0]) {
  return eventsOf(receipt).flatMap((event) => (event.name === 'ClaimStateChanged' ? [event.args] : []))
}

describe('the states of a claim', () => {
  test('go from eligible over partially to fully funded and to settled, each change with its own event', async () => {
    const { claimId, dueDate } = await newClaim()
    const first = await finance(claimId, 400n)
    expect(transitionsIn(first.receipt)).toEqual([
      { claimId, from: ClaimState.ELIGIBLE, to: ClaimState.PARTIALLY_FUNDED },
    ])
    const second = await finance(claimId, 100n)
    expect(transitionsIn(second.receipt)).toEqual([])
    expect(await claimOf(world, claimId)).toMatchObject({
      state: 'PARTIALLY_FUNDED',
      financedFaceValue: 500n,
    })
    const third = await finance(claimId, 500n)
    expect(transitionsIn(third.receipt)).toEqual([
      { claimId, from: ClaimState.PARTIALLY_FUNDED, to: ClaimState.FULLY_FUNDED },
    ])
    await travelTo(world, dueDate)
    const paid = await mintAndSettle(world, { payer: world.parties.payer, claimId })
    expect(transitionsIn(paid)).toEqual([{ claimId, from: ClaimState.FULLY_FUNDED, to: ClaimState.SETTLED }])
    expect(await claimOf(world, claimId)).toMatchObject({
      state: 'SETTLED',
      financedFaceValue: 1_000n,
      sliceCount: 3,
    })
  })

  test('go from eligible to fully funded when one slice takes all', async () => {
    const { claimId } = await newClaim()
    const { receipt } = await finance(claimId, 1_000n)
    expect(transitionsIn(receipt)).toEqual([
      { claimId, from: ClaimState.ELIGIBLE, to: ClaimState.FULLY_FUNDED },
    ])
    expect(await revertOf(finance(claimId, 1n))).toEqual({
      errorName: 'ClaimNotFinanceable',
      args: [claimId, ClaimState.FULLY_FUNDED],
    })
  })

  test('go from eligible to settled when nothing was financed', async () => {
    const { claimId, dueDate } = await newClaim()
    await travelTo(world, dueDate)
    const paid = await mintAndSettle(world, { payer: world.parties.payer, claimId })
    expect(transitionsIn(paid)).toEqual([{ claimId, from: ClaimState.ELIGIBLE, to: ClaimState.SETTLED }])
  })
})

describe('revoking', () => {
  test('withdraws a claim of which nothing is financed, for good', async () => {
    const { issuer } = world.parties
    const { claimId } = await newClaim()
    const receipt = await revokeClaim(world, { issuer, claimId })
    expect(eventsOf(receipt)).toEqual([
      {
        emitter: world.protocol.claimRegistry,
        name: 'ClaimStateChanged',
        args: { claimId, from: ClaimState.ELIGIBLE, to: ClaimState.REVOKED },
      },
    ])
    expect(await revertOf(finance(claimId, 1n))).toEqual({
      errorName: 'ClaimNotFinanceable',
      args: [claimId, ClaimState.REVOKED],
    })
    const again = revokeClaim(world, { issuer, claimId })
    expect(await revertOf(again)).toEqual({
      errorName: 'ClaimNotRevocable',
      args: [claimId, ClaimState.REVOKED],
    })
  })

  test('is refused to everyone but the issuer, and for an unknown claim to everyone', async () => {
    const { otherIssuer, beneficiary, issuer } = world.parties
    const { claimId } = await newClaim()
    for (const other of [otherIssuer, beneficiary]) {
      const expected = { errorName: 'NotIssuer', args: [claimId, other.address] }
      expect(await revertOf(revokeClaim(world, { issuer: other, claimId }))).toEqual(expected)
    }
    const unknown = revokeClaim(world, { issuer, claimId: zeroHash })
    expect(await revertOf(unknown)).toEqual({ errorName: 'NotIssuer', args: [zeroHash, issuer.address] })
  })

  test('closes a claim that is partially funded: it is not financed, cannot be revoked again, and is paid in full', async () => {
    const { issuer, beneficiary, payer } = world.parties
    const { claimId, dueDate } = await newClaim(100_000n)
    await finance(claimId, 10_000n)
    const before = await vaultCapital(world, vault)
    const balance = await usdOf(beneficiary)
    await travelTo(world, dueDate + 170n * DAY)

    const receipt = await revokeClaim(world, { issuer, claimId })

    expect(eventsOf(receipt)).toEqual([
      {
        emitter: world.protocol.claimRegistry,
        name: 'ClaimStateChanged',
        args: { claimId, from: ClaimState.PARTIALLY_FUNDED, to: ClaimState.CLOSED },
      },
    ])
    expect(await revertOf(revokeClaim(world, { issuer, claimId }))).toEqual({
      errorName: 'ClaimNotRevocable',
      args: [claimId, ClaimState.CLOSED],
    })
    const paid = await mintAndSettle(world, { payer, claimId })
    expect(transitionsIn(paid)).toEqual([{ claimId, from: ClaimState.CLOSED, to: ClaimState.SETTLED }])
    const { idleAssets, outstandingFace } = await vaultCapital(world, vault)
    expect(idleAssets).toBe(before.idleAssets + 10_000n)
    expect(outstandingFace).toBe(before.outstandingFace - 10_000n)
    expect(await usdOf(beneficiary)).toBe(balance + 90_000n)
  })

  test('of a partially funded claim moves nothing, and stops its financing by a route and directly', async () => {
    const { issuer, beneficiary: user } = world.parties
    const { claimId } = await newClaim()
    await finance(claimId, 400n)
    const before = await vaultCapital(world, vault)
    await pauseRouter(world)
    await revokeClaim(world, { issuer, claimId })
    await unpauseRouter(world)
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'CLOSED', financedFaceValue: 400n })
    const { idleAssets, outstandingFace, outstandingAdvance } = before
    const capital = { idleAssets, outstandingFace, outstandingAdvance }
    expect(await vaultCapital(world, vault)).toMatchObject(capital)
    const refused = { errorName: 'ClaimNotFinanceable', args: [claimId, ClaimState.CLOSED] }
    expect(await revertOf(finance(claimId, 1n))).toEqual(refused)
    const legs = [{ claimId, vault, faceAmount: 600n }]
    expect(await revertOf(executeRoute(world, { user, legs }))).toEqual(refused)
    expect(await quoteOf(world, vault, claimId, 600n)).toMatchObject({ reason: 'CLAIM_NOT_FINANCEABLE' })
  })

  test('keeps the document of a closed claim, which stays owed', async () => {
    const { issuer, beneficiary } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
    const { claimId, attestation } = await registerClaim(world, terms)
    await finance(claimId, 1n)
    await revokeClaim(world, { issuer, claimId })
    const { documentHash } = attestation
    expect(await revertOf(registerClaim(world, { ...terms, documentHash, faceValue: 900n }))).toEqual({
      errorName: 'ClaimAlreadyRegistered',
      args: [claimId],
    })
  })

  test('is refused for a claim that is fully funded or settled', async () => {
    const { issuer, payer } = world.parties
    const { claimId } = await newClaim()
    await finance(claimId, 1_000n)
    const refused = (state: number) => ({ errorName: 'ClaimNotRevocable', args: [claimId, state] })
    expect(await revertOf(revokeClaim(world, { issuer, claimId }))).toEqual(refused(ClaimState.FULLY_FUNDED))
    await mintAndSettle(world, { payer, claimId })
    expect(await revertOf(revokeClaim(world, { issuer, claimId }))).toEqual(refused(ClaimState.SETTLED))
  })

  test('frees the document for another attestation, and never for the same', async () => {
    const { issuer, beneficiary, relayer } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
    const wrong = await registerClaim(world, terms)
    const { documentHash } = wrong.attestation
    await revokeClaim(world, { issuer, claimId: wrong.claimId })
    expect(await claimOfDocument(world, { issuer: issuer.address, documentHash })).toBe(zeroHash)
    const signature = await signAttestation(world, issuer, wrong.attestation)
    const again = submitAttestation(world, { attestation: wrong.attestation, signature, submitter: relayer })
    expect(await revertOf(again)).toEqual({ errorName: 'ClaimAlreadyRegistered', args: [wrong.claimId] })
    const corrected = await registerClaim(world, { ...terms, documentHash, faceValue: 900n })
    expect(corrected.claimId).not.toBe(wrong.claimId)
    expect(await claimOfDocument(world, { issuer: issuer.address, documentHash })).toBe(corrected.claimId)
    const second = await revertOf(registerClaim(world, { ...terms, documentHash, faceValue: 800n }))
    expect(second).toEqual({ errorName: 'ClaimAlreadyRegistered', args: [corrected.claimId] })
    expect(await claimOf(world, wrong.claimId)).toMatchObject({ state: 'REVOKED', faceValue: 1_000n })
  })
})

describe('cancelling an attestation', () => {
  test('stops its registration for good, and no other of the same document', async () => {
    const { issuer, beneficiary, relayer } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
    const attestation = await attestationOf(world, terms)
    const { documentHash } = attestation
    const signature = await signAttestation(world, issuer, attestation)
    const receipt = await cancelAttestation(world, { attestation, as: issuer })
    const digest = claimIdOf(world.chainId, world.protocol.claimRegistry, attestation)
    expect(eventsOf(receipt)).toEqual([
      {
        emitter: world.protocol.claimRegistry,
        name: 'AttestationCancelled',
        args: { digest, issuer: issuer.address, documentHash },
      },
    ])
    const refused = { errorName: 'CancelledAttestation', args: [digest] }
    const late = submitAttestation(world, { attestation, signature, submitter: relayer })
    expect(await revertOf(late)).toEqual(refused)
    expect(await revertOf(cancelAttestation(world, { attestation, as: issuer }))).toEqual(refused)
    await registerClaim(world, { ...terms, documentHash, faceValue: 900n })
  })

  test('is refused to everyone but the issuer, and once the claim is registered', async () => {
    const { issuer, otherIssuer, beneficiary } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n }
    const { claimId, attestation } = await registerClaim(world, terms)
    for (const as of [otherIssuer, beneficiary]) {
      const refused = { errorName: 'NotIssuer', args: [claimId, as.address] }
      expect(await revertOf(cancelAttestation(world, { attestation, as }))).toEqual(refused)
    }
    const registered = { errorName: 'ClaimAlreadyRegistered', args: [claimId] }
    expect(await revertOf(cancelAttestation(world, { attestation, as: issuer }))).toEqual(registered)
  })
})

test('a claim has eight slices, each with its allocation, and no ninth', async () => {
  const { claimId } = await newClaim()
  for (let slice = 0; slice < 8; slice += 1) await finance(claimId, BigInt(slice + 100))
  const allocated = await allocationsOf(world, claimId)
  expect(allocated.map((allocation) => allocation.faceAmount)).toEqual([
    100n,
    101n,
    102n,
    103n,
    104n,
    105n,
    106n,
    107n,
  ])
  expect(await claimOf(world, claimId)).toMatchObject({ sliceCount: 8, state: 'PARTIALLY_FUNDED' })
  expect(await revertOf(finance(claimId, 1n))).toEqual({ errorName: 'NoSlicesRemaining', args: [claimId] })
})

test('an unknown claim is all zeros', async () => {
  expect(await claimOf(world, zeroHash)).toMatchObject({ issuer: zeroAddress, faceValue: 0n, state: 'NONE' })
  expect(await allocationsOf(world, zeroHash)).toEqual([])
})

test('a claim of which a part is paid cannot be revoked', async () => {
  const { issuer, payer } = world.parties
  const { claimId } = await newClaim()
  const { dueDate } = await claimOf(world, claimId)
  await travelTo(world, dueDate)
  await mintAndPay(world, { payer, claimId, faceAmount: 1n })
  expect(await revertOf(revokeClaim(world, { issuer, claimId }))).toEqual({
    errorName: 'ClaimNotRevocable',
    args: [claimId, ClaimState.ELIGIBLE],
  })
})

describe('the bookkeeping of the router', () => {
  const allocation = { vault: zeroAddress, faceAmount: 1n, advanceAmount: 1n }
  const calls = (claimId: Hex) => ({
    reserveSlice: encodeFunctionData({
      abi: claimRegistryAbi,
      functionName: 'reserveSlice',
      args: [claimId, 1n],
    }),
    registerAllocation: encodeFunctionData({
      abi: claimRegistryAbi,
      functionName: 'registerAllocation',
      args: [claimId, 0, allocation, zeroHash],
    }),
    recordPayment: encodeFunctionData({
      abi: claimRegistryAbi,
      functionName: 'recordPayment',
      args: [claimId, 1n],
    }),
  })

  test.each(['reserveSlice', 'registerAllocation', 'recordPayment'] as const)(
    '%s is closed to everyone else',
    async (name) => {
      const { claimId } = await newClaim()
      for (const party of [world.parties.admin, world.parties.issuer]) {
        const call = { to: world.protocol.claimRegistry, data: calls(claimId)[name] }
        expect(await revertOf(dryRun(world.chain, party, call))).toEqual({
          errorName: 'OnlyRouter',
          args: [],
        })
      }
    },
  )

  test('refuses, even to the router, what would break a claim', async () => {
    const { claimId } = await newClaim()
    const asRouter = (data: Hex) =>
      revertOf(
        dryRun(
          world.chain,
          { ...world.parties.admin, kind: 'IMPERSONATED', address: world.protocol.financingRouter },
          { to: world.protocol.claimRegistry, data },
        ),
      )
    const reserve = (id: Hex, faceAmount: bigint) =>
      encodeFunctionData({ abi: claimRegistryAbi, functionName: 'reserveSlice', args: [id, faceAmount] })
    const settle = (id: Hex, faceAmount = 1n) =>
      encodeFunctionData({ abi: claimRegistryAbi, functionName: 'recordPayment', args: [id, faceAmount] })
    const allocate = encodeFunctionData({
      abi: claimRegistryAbi,
      functionName: 'registerAllocation',
      args: [claimId, 3, allocation, zeroHash],
    })
    const notFinanceable = { errorName: 'ClaimNotFinanceable', args: [zeroHash, ClaimState.NONE] }
    const notSettleable = { errorName: 'ClaimNotSettleable', args: [zeroHash, ClaimState.NONE] }
    expect(await asRouter(reserve(zeroHash, 1n))).toEqual(notFinanceable)
    expect(await asRouter(settle(zeroHash))).toEqual(notSettleable)
    expect(await asRouter(reserve(claimId, 0n))).toEqual({
      errorName: 'FaceExceedsRemaining',
      args: [claimId, 0n, 1_000n],
    })
    expect(await asRouter(reserve(claimId, 1_001n))).toEqual({
      errorName: 'FaceExceedsRemaining',
      args: [claimId, 1_001n, 1_000n],
    })
    expect(await asRouter(allocate)).toEqual({ errorName: 'UnexpectedSlice', args: [claimId, 3n, 0n] })
    for (const amount of [0n, 1_001n])
      expect(await asRouter(settle(claimId, amount))).toEqual({
        errorName: 'FaceExceedsUnpaid',
        args: [claimId, amount, 1_000n],
      })
    for (let slice = 0; slice < 8; slice += 1) await finance(claimId, 100n)
    expect(await asRouter(reserve(claimId, 1n))).toEqual({ errorName: 'NoSlicesRemaining', args: [claimId] })
  })
})
