/**
 * An issuer corrects an attestation with what the gateway prepares: unregistered, registered, and financed by a dust
 * slice.
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

const financeDust = async (claimId: Hex) => {
  const user = the.world.parties.beneficiary
  await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 1n })
  await routes.settleDown(the)
}

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
  it('is revoked by its issuer, and a corrected attestation of the document is registered', async () => {
    const wrong = await signedAttestation(the.world)
    const claimId = await register(wrong)
    const answer = await carryOut(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({ claimId, repayments: [], maxAmount: '0', approvals: [], issues: [] })
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'REVOKED' })
    const { documentHash } = wrong.attestation
    const corrected = await signedAttestation(the.world, { documentHash, faceValue: 7n })
    await carryOut(the.world.parties.relayer, REGISTER, registrationBody(corrected))
    const again = await refused(issuer, revocationOf(claimId))
    expect(again).toMatchObject({ status: 422, code: 'CLAIM_NOT_REVOCABLE', state: 'REVOKED' })
  })

  it('is revoked although its beneficiary had a dust slice financed: the issuer repays the vault', async () => {
    const claimId = await register(await signedAttestation(the.world))
    await financeDust(claimId)
    await act.mint(the.world, { token: the.world.usd, to: issuer.address, amount: 1n })
    const answer = await carryOut(issuer, revocationOf(claimId))
    expect(answer).toMatchObject({
      repayments: [{ vault, faceAmount: '1' }],
      maxAmount: '1',
      issues: [{ code: 'ALLOWANCE_TOO_LOW', have: '0', need: '1' }],
    })
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'REVOKED', financedFaceValue: 1n })
  })

  it('is revoked although it is financed further after the preparation, up to the maximum of the issuer', async () => {
    const claimId = await register(await signedAttestation(the.world))
    await act.mint(the.world, { token: the.world.usd, to: issuer.address, amount: 10n })
    const token = await routes.tokenOf(the, issuer)
    const answer = await prepare(the.app, token, revocationOf(claimId), { maxAmount: '10' })
    await financeDust(claimId)
    await sendAll(the.world, answer)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'REVOKED' })
  })

  it('is not revoked by another wallet, nor where it does not exist', async () => {
    const claimId = await register(await signedAttestation(the.world))
    const { beneficiary } = the.world.parties
    const foreign = await refused(beneficiary, revocationOf(claimId))
    expect(foreign).toMatchObject({ status: 403, code: 'ISSUER_MISMATCH', wallet: beneficiary.address })
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
