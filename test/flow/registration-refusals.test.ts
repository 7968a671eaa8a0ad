/**
 * An attestation that the registry would not take is prepared neither for its signature nor for its registration. Sent
 * all the same, it reverts.
 */
import { type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../api/errors.ts'
import type { ClaimAttestation } from '../../api/typed-data/claim-attestation.ts'
import {
  ATTEST,
  ATTESTED_FACE,
  attestationBody,
  REGISTER,
  registrationBody,
  type SignedAttestation,
  signedAttestation,
} from '../support/attestations.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare } from '../support/prepared.ts'
import type { World } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf } from '../support/transactions.ts'

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let relayer: Party
let vault: Hex
beforeAll(async () => {
  the = await routes.startRouteWorld()
  vault = (await act.createVault(the.world, { token: the.world.usd })).vault
  relayer = the.world.parties.relayer
  await routes.settleDown(the)
})
afterAll(() => the.stop())

const ask = async (as: Party, path: string, body: object) =>
  readJson(await postPrepare(the.app, await routes.tokenOf(the, as), path, body))
const force = (signed: SignedAttestation) =>
  outcomeOf(act.submitAttestation(the.world, { ...signed, submitter: relayer }))

describe('what cannot be registered', () => {
  type Case = {
    when: string
    code: ErrorCode
    registry: string
    change: (world: World) => Partial<ClaimAttestation> | Promise<Partial<ClaimAttestation>>
    signer?: 'stranger'
    expected?: (attestation: ClaimAttestation) => object | Promise<object>
  }

  const CASES: Case[] = [
    {
      when: 'the time of the attestation is over',
      code: 'ATTESTATION_EXPIRED',
      registry: 'AttestationExpired',
      change: async (world) => ({ validUntil: (await act.chainTime(world)) - 1n }),
    },
    {
      when: 'the issuer has registered the document, whatever else is attested of it',
      code: 'CLAIM_ALREADY_REGISTERED',
      registry: 'ClaimAlreadyRegistered',
      change: async (world) => {
        const first = await signedAttestation(world)
        await act.submitAttestation(world, { ...first, submitter: relayer })
        await routes.settleDown(the)
        return { documentHash: first.attestation.documentHash, faceValue: 1n }
      },
      expected: async ({ issuer, documentHash }) => ({
        claimId: await act.claimOfDocument(the.world, { issuer, documentHash }),
      }),
    },
    {
      when: 'it was registered, and the claim is revoked',
      code: 'CLAIM_ALREADY_REGISTERED',
      registry: 'ClaimAlreadyRegistered',
      change: async (world) => {
        const signed = await signedAttestation(world)
        const { claimId } = await act.submitAttestation(world, { ...signed, submitter: relayer })
        await act.revokeClaim(world, { issuer: world.parties.issuer, claimId })
        await routes.settleDown(the)
        return signed.attestation
      },
    },
    {
      when: 'the issuer cancelled it',
      code: 'ATTESTATION_CANCELLED',
      registry: 'CancelledAttestation',
      change: async (world) => {
        const { attestation } = await signedAttestation(world)
        await act.cancelAttestation(world, { attestation, as: world.parties.issuer })
        await routes.settleDown(the)
        return attestation
      },
    },
    {
      when: 'the issuer is not active',
      code: 'ISSUER_INACTIVE',
      registry: 'IssuerInactive',
      change: ({ parties }) => ({ issuer: parties.stranger.address }),
      signer: 'stranger',
      expected: ({ issuer }) => ({ issuer }),
    },
    {
      when: 'nobody is owed',
      code: 'BENEFICIARY_INVALID',
      registry: 'InvalidBeneficiary',
      change: () => ({ beneficiary: zeroAddress }),
    },
    {
      when: 'the registry would be owed',
      code: 'BENEFICIARY_INVALID',
      registry: 'InvalidBeneficiary',
      change: ({ protocol }) => ({ beneficiary: protocol.claimRegistry }),
    },
    {
      when: 'the router would be owed',
      code: 'BENEFICIARY_INVALID',
      registry: 'InvalidBeneficiary',
      change: ({ protocol }) => ({ beneficiary: protocol.financingRouter }),
    },
    {
      when: 'a vault would be owed',
      code: 'BENEFICIARY_INVALID',
      registry: 'InvalidBeneficiary',
      change: () => ({ beneficiary: vault }),
    },
    {
      when: 'the token is none',
      code: 'TOKEN_NOT_LISTED',
      registry: 'TokenNotListed',
      change: ({ parties }) => ({ token: parties.stranger.address }),
      expected: ({ token }) => ({ token }),
    },
    {
      when: 'the face value is beyond 128 bits',
      code: 'FACE_VALUE_TOO_LARGE',
      registry: 'InvalidFaceValue',
      change: () => ({ faceValue: 2n ** 128n }),
      expected: () => ({ have: String(2n ** 128n), need: String(2n ** 128n - 1n) }),
    },
    {
      when: 'the claim is due already',
      code: 'DUE_DATE_NOT_IN_FUTURE',
      registry: 'DueDateNotInFuture',
      change: async (world) => ({ dueDate: await act.chainTime(world) }),
      expected: ({ dueDate }) => ({ dueDateUnix: Number(dueDate) }),
    },
  ]

  it.each(CASES)('$code: $when ($registry)', async ({ code, registry, change, signer, expected }) => {
    const issuer = the.world.parties[signer ?? 'issuer']
    const signed = await signedAttestation(the.world, await change(the.world), issuer)
    const refusal = { status: 422, code, ...expected?.(signed.attestation) }
    expect(await ask(issuer, ATTEST, attestationBody(signed.attestation))).toMatchObject(refusal)
    expect(await ask(relayer, REGISTER, registrationBody(signed))).toMatchObject(refusal)
    expect(await force(signed)).toBe(registry)
  })

  it('is refused by the clock, too, while no block is as late', async () => {
    const { issuer } = the.world.parties
    const soon = (await act.chainTime(the.world)) + 300n
    const [expiring, due] = [
      await signedAttestation(the.world, { validUntil: soon }),
      await signedAttestation(the.world, { dueDate: soon }),
    ]
    the.clock.skewMs += 301_000
    for (const [signed, code] of [
      [expiring, 'ATTESTATION_EXPIRED'],
      [due, 'DUE_DATE_NOT_IN_FUTURE'],
    ] as const) {
      expect(await ask(issuer, ATTEST, attestationBody(signed.attestation))).toMatchObject({ code })
      expect(await ask(relayer, REGISTER, registrationBody(signed))).toMatchObject({ code })
    }
    await routes.followChain(the)
  })

  it("ISSUER_MISMATCH: a wallet asks to attest another issuer's claim (InvalidAttestationSignature)", async () => {
    const { issuer, otherIssuer } = the.world.parties
    const foreign = await signedAttestation(the.world, { issuer: otherIssuer.address }, issuer)
    const body = { ...attestationBody(foreign.attestation), issuer: otherIssuer.address }
    expect(await ask(issuer, ATTEST, body)).toMatchObject({
      status: 403,
      code: 'ISSUER_MISMATCH',
      issuer: otherIssuer.address,
      wallet: issuer.address,
    })
    expect(await force(foreign)).toBe('InvalidAttestationSignature')
  })

  it('ATTESTATION_SIGNATURE_INVALID: another key or nobody signed, or it was changed since (InvalidAttestationSignature)', async () => {
    const right = await signedAttestation(the.world)
    const forgeries: SignedAttestation[] = [
      await signedAttestation(the.world, {}, the.world.parties.otherIssuer),
      { ...right, attestation: { ...right.attestation, faceValue: ATTESTED_FACE + 1n } },
      { ...right, signature: `0x${'00'.repeat(65)}` },
      { ...right, signature: '0x11' },
    ]
    for (const forged of forgeries) {
      expect(await ask(relayer, REGISTER, registrationBody(forged))).toMatchObject({
        status: 422,
        code: 'ATTESTATION_SIGNATURE_INVALID',
      })
      expect(await force(forged)).toBe('InvalidAttestationSignature')
    }
  })

  it('has no code that is not shown here', async () => {
    const shared = [...new Set(CASES.map(({ code }) => code))]
    expect(await describedRefusals(the.app)).toMatchObject({
      prepareAttestation: [...shared, 'ISSUER_MISMATCH'].toSorted(),
      prepareRegistration: [...shared, 'ATTESTATION_SIGNATURE_INVALID'].toSorted(),
    })
  })
})

describe('a registration is not valid', () => {
  it('where a number does not fit its type, and names it', async () => {
    const { attestation, signature } = registrationBody(await signedAttestation(the.world))
    for (const [field, value] of [
      ['dueDate', String(2n ** 64n)],
      ['validUntil', String(2n ** 64n)],
      ['claimType', '256'],
      ['faceValue', '0'],
      ['faceValue', String(2n ** 256n)],
    ] as const) {
      const body = { attestation: { ...attestation, [field]: value }, signature }
      expect(await ask(relayer, REGISTER, body)).toMatchObject({
        status: 400,
        code: 'VALIDATION_FAILED',
        errors: [{ path: `attestation.${field}` }],
      })
    }
  })
})
