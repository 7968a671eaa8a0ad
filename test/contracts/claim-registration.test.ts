import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimIdOf } from '../../api/typed-data/claim-attestation.ts'
import type { Party } from '../support/parties.ts'
import { createSmartWallet, startWorld } from '../support/protocol.ts'
import {
  attestationOf,
  ClaimState,
  type ClaimTerms,
  chainTime,
  claimOf,
  createVault,
  inDays,
  registerClaim,
  setIssuerActive,
  setTokenListed,
  setVaultActive,
  signAttestation,
  submitAttestation,
  travelTo,
} from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

function goodTerms(): ClaimTerms {
  const { issuer, beneficiary } = world.parties
  return { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000n, claimType: 2 }
}

async function activeSmartIssuer(): Promise<Party> {
  const issuer = await createSmartWallet(world, world.parties.stranger)
  await setIssuerActive(world, { issuer: issuer.address, active: true })
  return issuer
}

describe('a claim is registered', () => {
  test('by anyone who has the attestation of an active issuer, with one event for it and one for its state', async () => {
    const { issuer, beneficiary, stranger } = world.parties
    const { claimId, attestation, receipt } = await registerClaim(world, {
      ...goodTerms(),
      submitter: stranger,
    })

    const { validUntil: _, ...facts } = attestation
    expect(eventsOf(receipt)).toEqual([
      { emitter: world.protocol.claimRegistry, name: 'ClaimRegistered', args: { claimId, ...facts } },
      {
        emitter: world.protocol.claimRegistry,
        name: 'ClaimStateChanged',
        args: { claimId, from: ClaimState.NONE, to: ClaimState.ELIGIBLE },
      },
    ])
    expect(await claimOf(world, claimId)).toMatchObject({
      faceValue: 1_000n,
      financedFaceValue: 0n,
      dueDate: attestation.dueDate,
      claimType: 2,
      sliceCount: 0,
      state: 'ELIGIBLE',
    })
    expect(issuer.address).toBe(attestation.issuer)
    expect(beneficiary.address).toBe(attestation.beneficiary)
  })

  test('under an id that is the digest of its attestation', async () => {
    const { claimId, attestation } = await registerClaim(world, goodTerms())
    expect(claimId).toBe(claimIdOf(world.chainId, world.protocol.claimRegistry, attestation))
  })

  test('when a contract wallet is the issuer and signs by ERC-1271', async () => {
    const issuer = await activeSmartIssuer()
    const { claimId } = await registerClaim(world, { ...goodTerms(), issuer })
    expect(await claimOf(world, claimId)).toMatchObject({ state: 'ELIGIBLE' })
  })

  test('twice for one document when two issuers attest it', async () => {
    const documentHash = world.newDocument()
    const first = await registerClaim(world, { ...goodTerms(), documentHash })
    const issuer = world.parties.otherIssuer
    const second = await registerClaim(world, { ...goodTerms(), issuer, documentHash })
    expect(second.claimId).not.toBe(first.claimId)
  })

  test('in the last second of the attestation', async () => {
    const validUntil = (await chainTime(world)) + 50n
    const attestation = await attestationOf(world, { ...goodTerms(), validUntil })
    const signature = await signAttestation(world, world.parties.issuer, attestation)
    await world.chain.setNextBlockTimestamp({ timestamp: validUntil })
    await submitAttestation(world, { attestation, signature, submitter: world.parties.relayer })
    expect(await chainTime(world)).toBe(validUntil)
  })
})

describe('a claim is refused', () => {
  const refused = async (change: Partial<ClaimTerms>) =>
    revertOf(registerClaim(world, { ...goodTerms(), ...change }))

  test('after the last second of the attestation', async () => {
    const validUntil = (await chainTime(world)) + 50n
    await world.chain.setNextBlockTimestamp({ timestamp: validUntil + 1n })
    expect(await refused({ validUntil })).toEqual({
      errorName: 'AttestationExpired',
      args: [validUntil, validUntil + 1n],
    })
    await travelTo(world, validUntil + 1n)
  })

  test('when the same attestation comes again', async () => {
    const { claimId, attestation } = await registerClaim(world, goodTerms())
    const signature = await signAttestation(world, world.parties.issuer, attestation)
    const again = submitAttestation(world, { attestation, signature, submitter: world.parties.relayer })
    expect(await revertOf(again)).toEqual({ errorName: 'ClaimAlreadyRegistered', args: [claimId] })
  })

  test('when the issuer attests the same document with other terms', async () => {
    const { claimId, attestation } = await registerClaim(world, goodTerms())
    const { documentHash } = attestation
    expect(await refused({ documentHash, faceValue: 2_000n })).toEqual({
      errorName: 'ClaimAlreadyRegistered',
      args: [claimId],
    })
  })

  test('when its issuer was never active, or is no longer', async () => {
    const { stranger, otherIssuer } = world.parties
    const never = { errorName: 'IssuerInactive', args: [stranger.address] }
    expect(await refused({ issuer: stranger })).toEqual(never)
    await setIssuerActive(world, { issuer: otherIssuer.address, active: false })
    const noLonger = { errorName: 'IssuerInactive', args: [otherIssuer.address] }
    expect(await refused({ issuer: otherIssuer })).toEqual(noLonger)
    await setIssuerActive(world, { issuer: otherIssuer.address, active: true })
  })

  test('without a beneficiary, and with one that would keep what it is paid: a registry of claims, a router, a vault', async () => {
    const { vault } = await createVault(world, { token: world.usd })
    await setVaultActive(world, { vault, active: false })
    const { claimRegistry, financingRouter } = world.protocol
    for (const beneficiary of [zeroAddress, claimRegistry, financingRouter, vault]) {
      expect(await refused({ beneficiary })).toEqual({ errorName: 'InvalidBeneficiary', args: [] })
    }
  })

  test('when its token was never listed, or is not any more', async () => {
    const token = world.parties.stranger.address
    expect(await refused({ token })).toEqual({ errorName: 'TokenNotListed', args: [token] })
    await setTokenListed(world, { token: world.eur, listed: false })
    expect(await refused({ token: world.eur })).toEqual({ errorName: 'TokenNotListed', args: [world.eur] })
    await setTokenListed(world, { token: world.eur, listed: true })
  })

  test.each([0n, 2n ** 128n])('with a face value of %d', async (faceValue) => {
    expect(await refused({ faceValue })).toEqual({ errorName: 'InvalidFaceValue', args: [faceValue] })
  })

  test('when it is due at once', async () => {
    const dueDate = (await chainTime(world)) + 10n
    await world.chain.setNextBlockTimestamp({ timestamp: dueDate })
    expect(await refused({ dueDate })).toEqual({ errorName: 'DueDateNotInFuture', args: [dueDate, dueDate] })
    await travelTo(world, dueDate)
  })

  test('with the signature of someone else, of an EOA or of a contract wallet', async () => {
    for (const issuer of [world.parties.issuer, await activeSmartIssuer()]) {
      const attestation = await attestationOf(world, { ...goodTerms(), issuer })
      const signature = await signAttestation(world, world.parties.relayer, attestation)
      const forged = submitAttestation(world, { attestation, signature, submitter: world.parties.relayer })
      const expected = { errorName: 'InvalidAttestationSignature', args: [issuer.address] }
      expect(await revertOf(forged)).toEqual(expected)
    }
  })

  test('when any field differs from what was signed', async () => {
    const { issuer, stranger, relayer } = world.parties
    const signed = await attestationOf(world, goodTerms())
    const signature = await signAttestation(world, issuer, signed)
    const changes = [
      { beneficiary: stranger.address },
      { token: world.eur },
      { faceValue: 1_001n },
      { dueDate: signed.dueDate + 1n },
      { claimType: 3 },
      { documentHash: world.newDocument() },
      { validUntil: signed.validUntil + 1n },
    ]
    for (const change of changes) {
      const forged = submitAttestation(world, {
        attestation: { ...signed, ...change },
        signature,
        submitter: relayer,
      })
      const expected = { errorName: 'InvalidAttestationSignature', args: [issuer.address] }
      expect(await revertOf(forged)).toEqual(expected)
    }
  })

  test('with a signature that is no signature', async () => {
    const attestation = await attestationOf(world, { ...goodTerms(), dueDate: await inDays(world, 9) })
    const garbage = submitAttestation(world, {
      attestation,
      signature: '0x',
      submitter: world.parties.relayer,
    })
    expect(await revertOf(garbage)).toMatchObject({ errorName: 'InvalidAttestationSignature' })
  })
})
