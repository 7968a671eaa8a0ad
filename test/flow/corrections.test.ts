/**
 * An issuer corrects an attestation with what the gateway prepares, unregistered or registered, and stops the financing
 * of a claim that is partially funded.
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CANCEL_ATTESTATION,
  REGISTER,
  registrationBody,
  type SignedAttestation,
  signedAttestation,
} from '../support/attestations.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendAll } from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf } from '../support/transactions.ts'

const FACE = 100_000_000n

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let issuer: Party
let vault: Hex
beforeAll(async () => {
  the = await routes.startRouteWorld()
  issuer = the.world.parties.issuer
  vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 1_000_000_000n })
  await routes.settleDown(the)
})
afterAll(() => the.stop())

const messageOf = (signed: SignedAttestation) => ({ attestation: registrationBody(signed).attestation })
const revocationOf = (claimId: Hex) => `/claims/${claimId}/revocation/prepare`

async function refused(as: Party, path: string, body: unknown = {}) {
  return readJson(await postPrepare(the.app, await routes.tokenOf(the, as), path, body))
}

async function carryOut(as: Party, path: string, body: unknown = {}) {
  const answer = await prepare(the.app, await routes.tokenOf(the, as), path, body)
  await sendAll(the.world, answer)
  await routes.settleDown(the)
  return answer
}

async function register(signed: SignedAttestation): Promise<Hex> {
  const { claimId } = await act.submitAttestation(the.world, { ...signed, submitter: issuer })
  await routes.settleDown(the)
  return claimId
}

const finance = async (claimId: Hex, faceAmount: bigint) => {
  const user = the.world.parties.beneficiary
  await act.executeFinancing(the.world, { user, claimId, vault, faceAmount })
  await routes.settleDown(the)
}
const stateOf = async (claimId: Hex) => (await act.claimOf(the.world, claimId)).state

describe('an attestation that is not registered', () => {
  it('is cancelled by its issuer; a corrected one of the document is registered', async () => {
    const wrong = await signedAttestation(the.world)
    const answer = await carryOut(issuer, CANCEL_ATTESTATION, messageOf(wrong))
    expect(answer).toMatchObject({ approvals: [], issues: [] })
    expect(answer.description).toContain('Cancel the attestation that issuer')
    const late = await refused(the.world.parties.relayer, REGISTER, registrationBody(wrong))
    expect(late).toMatchObject({ status: 422, code: 'ATTESTATION_CANCELLED', claimId: answer.claimId })
    expect(await refused(issuer, CANCEL_ATTESTATION, messageOf(wrong))).toMatchObject({
      code: 'ATTESTATION_CANCELLED',
    })
    const { documentHash } = wrong.attestation
    const corrected = await signedAttestation(the.world, { documentHash, faceValue: 5n })
    await carryOut(the.world.parties.relayer, REGISTER, registrationBody(corrected))
    const registered = await refused(issuer, CANCEL_ATTESTATION, messageOf(corrected))
    expect(registered).toMatchObject({ status: 422, code: 'CLAIM_ALREADY_REGISTERED' })
  })

  it('is not cancelled by another wallet', async () => {
    const { otherIssuer } = the.world.parties
    const foreign = await refused(
      otherIssuer,
      CANCEL_ATTESTATION,
      messageOf(await signedAttestation(the.world)),
    )
    expect(foreign).toMatchObject({ status: 403, code: 'ISSUER_MISMATCH', issuer: issuer.address })
  })
})

describe('a registered claim', () => {
  it('is void once its issuer revokes it unfinanced, and a corrected attestation is registered', async () => {
    const wrong = await signedAttestation(the.world)
    const claimId = await register(wrong)
    const { documentHash } = wrong.attestation
    const corrected = await signedAttestation(the.world, { documentHash, faceValue: 7n })
    const early = await refused(the.world.parties.relayer, REGISTER, registrationBody(corrected))
    expect(early).toMatchObject({ status: 422, code: 'CLAIM_ALREADY_REGISTERED', claimId })

    const answer = await carryOut(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({ claimId, approvals: [], issues: [] })
    expect(answer.description).toContain('a corrected attestation of the same document can be registered')
    expect(await stateOf(claimId)).toBe('REVOKED')
    await carryOut(the.world.parties.relayer, REGISTER, registrationBody(corrected))
    const again = await refused(issuer, revocationOf(claimId))
    expect(again).toMatchObject({ status: 422, code: 'CLAIM_NOT_REVOCABLE', state: 'REVOKED' })
  })

  it('is closed without a payment where a vault financed a part, and stays registered and owed', async () => {
    const { beneficiary, payer, relayer } = the.world.parties
    const token = the.world.usd
    const signed = await signedAttestation(the.world, { faceValue: FACE })
    const claimId = await register(signed)
    await finance(claimId, FACE / 4n)

    const answer = await carryOut(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({ claimId, approvals: [], issues: [] })
    expect(answer.description).toContain('Its whole face stays owed, as 25 HUSD')
    expect(await stateOf(claimId)).toBe('CLOSED')
    const { documentHash } = signed.attestation
    const corrected = registrationBody(await signedAttestation(the.world, { documentHash, faceValue: 7n }))
    expect(await refused(relayer, REGISTER, corrected)).toMatchObject({
      code: 'CLAIM_ALREADY_REGISTERED',
      claimId,
    })
    const again = await refused(issuer, revocationOf(claimId))
    expect(again).toMatchObject({ status: 422, code: 'CLAIM_NOT_REVOCABLE', state: 'CLOSED' })

    const sides = { have: 'CLOSED', need: 'ELIGIBLE or PARTIALLY_FUNDED' }
    const leg = { claimId, vault, faceAmount: '1' }
    expect(await refused(beneficiary, '/executions/prepare', leg)).toMatchObject({
      status: 422,
      code: 'LEG_NOT_FINANCEABLE',
      reason: 'CLAIM_NOT_FINANCEABLE',
      ...sides,
    })
    const session = await routes.tokenOf(the, beneficiary)
    const planned = await routes.optimize(the.app, session, { claimIds: [claimId], targetAdvance: 1n })
    expect(planned.filteredOut).toEqual([{ claimId, reason: 'CLAIM_NOT_FINANCEABLE', ...sides }])

    await act.travelTo(the.world, signed.attestation.dueDate)
    await routes.settleDown(the)
    await act.mint(the.world, { token, to: payer.address, amount: FACE })
    const holdings = () =>
      Promise.all([vault, beneficiary.address].map((owner) => act.balanceOf(the.world, token, owner)))
    const before = await holdings()
    await carryOut(payer, `/settlements/${claimId}/prepare`)
    const gained = (await holdings()).map((after, index) => after - (before[index] ?? 0n))
    expect(gained).toEqual([FACE / 4n, (FACE * 3n) / 4n])
    expect(await stateOf(claimId)).toBe('SETTLED')
    const settled = await refused(issuer, revocationOf(claimId))
    expect(settled).toMatchObject({ code: 'CLAIM_NOT_REVOCABLE', state: 'SETTLED' })
  })

  it('is closed instead of revoked where it is financed after the preparation', async () => {
    const claimId = await register(await signedAttestation(the.world))
    const answer = await prepare(the.app, await routes.tokenOf(the, issuer), revocationOf(claimId))
    await finance(claimId, 1n)
    await sendAll(the.world, answer)
    expect(await stateOf(claimId)).toBe('CLOSED')
    await routes.settleDown(the)
  })

  it('is not revoked once it is fully funded', async () => {
    const claimId = await register(await signedAttestation(the.world, { faceValue: FACE }))
    await finance(claimId, FACE)
    const answer = await refused(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({ status: 422, code: 'CLAIM_NOT_REVOCABLE', state: 'FULLY_FUNDED' })
    expect(await outcomeOf(act.revokeClaim(the.world, { issuer, claimId }))).toBe('ClaimNotRevocable')
    // The contract checks the issuer first.
    const { beneficiary } = the.world.parties
    const foreign = await refused(beneficiary, revocationOf(claimId))
    expect(foreign).toMatchObject({ status: 403, code: 'ISSUER_MISMATCH', issuer: issuer.address })
    expect(await outcomeOf(act.revokeClaim(the.world, { issuer: beneficiary, claimId }))).toBe('NotIssuer')
  })

  it('is not revoked once a part of it is paid, though it is not financed', async () => {
    const signed = await signedAttestation(the.world, { faceValue: FACE })
    const claimId = await register(signed)
    await act.travelTo(the.world, signed.attestation.dueDate)
    await act.mintAndPay(the.world, { payer: the.world.parties.payer, claimId, faceAmount: 1n })
    await routes.settleDown(the)
    const answer = await refused(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({ status: 422, code: 'CLAIM_NOT_REVOCABLE', claimId, state: 'ELIGIBLE' })
    expect(answer.detail).toContain('It can be revoked until the first payment only.')
    expect(await outcomeOf(act.revokeClaim(the.world, { issuer, claimId }))).toBe('ClaimNotRevocable')
  })

  it('is not revoked with a payment, by another wallet, nor where it does not exist', async () => {
    const claimId = await register(await signedAttestation(the.world))
    const { beneficiary } = the.world.parties
    const payment = await refused(issuer, revocationOf(claimId), { maxAmount: '1' })
    expect(payment).toMatchObject({ status: 400, detail: 'maxAmount: is unknown; remove it' })
    const foreign = await refused(beneficiary, revocationOf(claimId))
    expect(foreign).toMatchObject({ status: 403, code: 'ISSUER_MISMATCH', wallet: beneficiary.address })
    expect(await outcomeOf(act.revokeClaim(the.world, { issuer: beneficiary, claimId }))).toBe('NotIssuer')
    const unknown = await refused(issuer, revocationOf(`0x${'ab'.repeat(32)}`))
    expect(unknown).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
  })
})

it('no refusal is described that is not shown here', async () => {
  expect(await describedRefusals(the.app)).toMatchObject({
    prepareAttestationCancellation: ['ATTESTATION_CANCELLED', 'CLAIM_ALREADY_REGISTERED', 'ISSUER_MISMATCH'],
    prepareRevocation: ['CLAIM_NOT_REVOCABLE', 'ISSUER_MISMATCH'],
  })
})
