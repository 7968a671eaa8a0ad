/**
 * An issuer signs what the gateway prepares, anybody registers it with what the gateway prepares from that, and the registry has the
 * claim as it was described; what the gateway refuses, the registry refuses too.
 */
import { SignTypedDataVersion, signTypedData, type TypedMessage } from '@metamask/eth-sig-util'
import fc from 'fast-check'
import { bytesToHex, decodeFunctionData, type Hex, isHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { claimIdOf } from '../../api/domain/claim-id.ts'
import type { ClaimAttestation } from '../../api/typed-data/claim-attestation.ts'
import { createGateway } from '../auth/gateway.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import { createSmartWallet } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { revertOf } from '../support/transactions.ts'

const ATTEST = '/issuer/attestations/prepare'
const REGISTER = '/claims/registration/prepare'
const FACE = 123_456_789n

const bytes = z.custom<Hex>(isHex)
const attestationAnswer = z.object({
  claimId: bytes,
  digest: bytes,
  description: z.string(),
  validUntil: z.string(),
  blockNumber: z.int(),
  typedData: z.object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.int(), verifyingContract: bytes }),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.literal('ClaimAttestation'),
    message: z.record(z.string(), z.string()),
  }),
})

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let issuer: Party
beforeAll(async () => {
  the = await routes.startRouteWorld()
  issuer = the.world.parties.issuer
  await routes.settleDown(the)
})
afterAll(() => the.stop())

const tokenOf = (party: Party) => routes.tokenOf(the, party)
const registry = () => the.world.protocol.claimRegistry

async function terms(change: Record<string, unknown> = {}) {
  const due = new Date(Number((await act.chainTime(the.world)) + 30n * act.DAY) * 1000)
  return {
    beneficiary: the.world.parties.beneficiary.address,
    token: the.world.usd,
    faceValue: String(FACE),
    dueDate: due.toISOString().replace('.000Z', 'Z'),
    claimType: 3,
    documentHash: the.world.newDocument(),
    ...change,
  }
}

async function attest(change: Record<string, unknown> = {}, party = issuer) {
  const response = await postPrepare(the.app, await tokenOf(party), ATTEST, await terms(change))
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
  return attestationAnswer.parse(await response.json())
}

type Attested = z.output<typeof attestationAnswer>

/** As MetaMask signs it, from the JSON as it came. */
function sign(party: Party, { typedData }: Pick<Attested, 'typedData'>): Hex {
  const { privateKey } = party.key.getHdKey()
  if (!privateKey) throw new Error('the party has no key')
  const data: TypedMessage<typeof typedData.types & { EIP712Domain: [] }> = JSON.parse(
    JSON.stringify(typedData),
  )
  const signature = signTypedData({
    privateKey: Buffer.from(privateKey),
    data,
    version: SignTypedDataVersion.V4,
  })
  return `0x${signature.slice(2)}`
}

/** The attestation as the contract takes it, signed by `signer`, for when the gateway would refuse to prepare it. */
async function signed(change: Partial<ClaimAttestation>, signer = issuer) {
  const { beneficiary } = the.world.parties
  const base = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: FACE }
  const attestation = { ...(await act.attestationOf(the.world, base)), ...change }
  return { attestation, signature: await act.signAttestation(the.world, signer, attestation) }
}

const wire = ({ attestation, signature }: { attestation: ClaimAttestation; signature: Hex }) => ({
  attestation: Object.fromEntries(Object.entries(attestation).map(([name, value]) => [name, String(value)])),
  signature,
})

describe('registering a claim', () => {
  it('takes an attestation from a signature to the registry, submitted by anyone, as both answers say', async () => {
    const { relayer, beneficiary } = the.world.parties
    const attested = await attest()
    const { message } = attested.typedData
    expect(message).toMatchObject({
      issuer: issuer.address,
      beneficiary: beneficiary.address,
      faceValue: String(FACE),
      claimType: '3',
    })
    expect(attested.description).toContain('123.456789 HUSD (123456789 base units)')
    expect(attested.description).toContain(beneficiary.address)

    const signature = sign(issuer, attested)
    const answer = await prepare(the.app, await tokenOf(relayer), REGISTER, {
      attestation: message,
      signature,
    })
    expect(answer).toMatchObject({
      claimId: attested.claimId,
      transaction: { chainId: 31_337, from: relayer.address, to: registry(), value: '0' },
      approvals: [],
      issues: [],
    })
    expect(answer.description).toContain('123.456789 HUSD')
    expect(decodeFunctionData({ abi: claimRegistryAbi, data: answer.transaction.data })).toEqual({
      functionName: 'register',
      args: [
        expect.objectContaining({ faceValue: FACE, claimType: 3, dueDate: BigInt(message.dueDate ?? 0) }),
        signature,
      ],
    })

    await sendPrepared(the.world, answer)
    expect(await act.claimOf(the.world, attested.claimId)).toMatchObject({
      state: 'ELIGIBLE',
      faceValue: FACE,
      claimType: 3,
      dueDate: BigInt(message.dueDate ?? 0),
    })
  })

  it('gives the digest and the id that the contract has', async () => {
    const { typedData, digest, claimId } = await attest()
    const { issuer, beneficiary, token, documentHash, ...numbers } = typedData.message
    const attestation = await act.attestationOf(the.world, {
      issuer: the.world.parties.issuer,
      beneficiary: bytes.parse(beneficiary),
      token: bytes.parse(token),
      documentHash: bytes.parse(documentHash),
      faceValue: BigInt(numbers.faceValue ?? 0),
      dueDate: BigInt(numbers.dueDate ?? 0),
      claimType: Number(numbers.claimType),
      validUntil: BigInt(numbers.validUntil ?? 0),
    })
    const read = (functionName: 'attestationDigest' | 'claimIdOf') =>
      the.world.chain.readContract({
        address: registry(),
        abi: claimRegistryAbi,
        functionName,
        args: [attestation],
      })
    expect([await read('attestationDigest'), await read('claimIdOf')]).toEqual([digest, claimId])
    expect(issuer).toBe(the.world.parties.issuer.address)
  })

  it('takes the signature of an issuer that is a contract wallet', async () => {
    const wallet = await createSmartWallet(the.world, the.world.parties.otherIssuer)
    await act.setIssuerActive(the.world, { issuer: wallet.address, active: true })
    await routes.settleDown(the)
    const body = await signed({ issuer: wallet.address }, wallet)
    const answer = await prepare(the.app, await tokenOf(the.world.parties.relayer), REGISTER, wire(body))
    expect(answer.issues).toEqual([])
    await sendPrepared(the.world, answer)
    expect(await act.claimOf(the.world, z.object({ claimId: bytes }).parse(answer).claimId)).toMatchObject({
      state: 'ELIGIBLE',
      issuer: expect.stringMatching(new RegExp(wallet.address, 'i')),
    })
  })

  it("is not prepared for another issuer's signature", async () => {
    const { otherIssuer } = the.world.parties
    const body = await terms({ issuer: otherIssuer.address })
    const response = await postPrepare(the.app, await tokenOf(issuer), ATTEST, body)
    expect([response.status, await readJson(response)]).toMatchObject([
      403,
      { code: 'ISSUER_MISMATCH', issuer: otherIssuer.address, wallet: issuer.address },
    ])
  })

  it('is told as an issue where it was registered in a block that is not final', async () => {
    const body = await signed({})
    const relayer = the.world.parties.relayer
    await act.submitAttestation(the.world, { ...body, submitter: relayer })
    const answer = await prepare(the.app, await tokenOf(relayer), REGISTER, wire(body))
    expect(answer.issues).toMatchObject([
      { code: 'EXECUTION_WOULD_REVERT', errorName: 'ClaimAlreadyRegistered' },
    ])
    await routes.settleDown(the)
  })

  it('answers 503 while no node does, and never a guess', async () => {
    const app = createGateway(the.store, { clock: () => Date.now() + the.clock.skewMs })
    const token = await routes.tokenOf({ app, clock: the.clock }, issuer)
    const response = await postPrepare(app, token, ATTEST, await terms())
    expect([response.status, (await readJson(response)).code]).toEqual([503, 'CHAIN_UNAVAILABLE'])
  })
})

describe('what cannot be registered', () => {
  const cases: [
    title: string,
    code: string,
    errorName: string,
    change: () => Promise<Partial<ClaimAttestation>>,
  ][] = [
    [
      'an attestation whose time is over',
      'ATTESTATION_EXPIRED',
      'AttestationExpired',
      async () => ({ validUntil: (await act.chainTime(the.world)) - 1n }),
    ],
    [
      "an inactive issuer's",
      'ISSUER_INACTIVE',
      'IssuerInactive',
      async () => ({ issuer: the.world.parties.stranger.address }),
    ],
    [
      'a claim of nobody',
      'BENEFICIARY_INVALID',
      'InvalidBeneficiary',
      async () => ({ beneficiary: zeroAddress }),
    ],
    [
      'a claim in what is no token',
      'TOKEN_WITHOUT_CODE',
      'InvalidToken',
      async () => ({ token: the.world.parties.stranger.address }),
    ],
    [
      'a face value beyond 128 bits',
      'FACE_VALUE_TOO_LARGE',
      'InvalidFaceValue',
      async () => ({ faceValue: 2n ** 128n }),
    ],
    [
      'a claim that is due already',
      'DUE_DATE_NOT_IN_FUTURE',
      'DueDateNotInFuture',
      async () => ({ dueDate: await act.chainTime(the.world) }),
    ],
  ]

  it.each(cases)('is %s: %s from the gateway, %s from the contract', async (_, code, errorName, change) => {
    const changed = await change()
    const signer = 'issuer' in changed ? the.world.parties.stranger : issuer
    const body = await signed(changed, signer)
    const relayer = the.world.parties.relayer
    const response = await postPrepare(the.app, await tokenOf(relayer), REGISTER, wire(body))
    expect([response.status, (await readJson(response)).code]).toEqual([422, code])
    const forced = await revertOf(act.submitAttestation(the.world, { ...body, submitter: relayer }))
    expect(forced.errorName).toBe(errorName)
  })

  it('is what another key, or nobody, signed, and what was changed after it was signed', async () => {
    const relayer = the.world.parties.relayer
    const right = await signed({})
    const forgeries = [
      await signed({}, the.world.parties.otherIssuer),
      { ...right, attestation: { ...right.attestation, faceValue: FACE + 1n } },
      { ...right, signature: `0x${'00'.repeat(65)}` as const },
      { ...right, signature: '0x11' as const },
    ]
    for (const body of forgeries) {
      const response = await postPrepare(the.app, await tokenOf(relayer), REGISTER, wire(body))
      expect([response.status, (await readJson(response)).code]).toEqual([
        422,
        'ATTESTATION_SIGNATURE_INVALID',
      ])
      const forced = await revertOf(act.submitAttestation(the.world, { ...body, submitter: relayer }))
      expect(forced.errorName).toBe('InvalidAttestationSignature')
    }
  })

  it('is a document that the issuer has registered, whatever else is attested of it', async () => {
    const relayer = the.world.parties.relayer
    const first = await signed({})
    const { claimId } = await act.submitAttestation(the.world, { ...first, submitter: relayer })
    await routes.settleDown(the)
    const second = await signed({ documentHash: first.attestation.documentHash, faceValue: 1n })
    const response = await postPrepare(the.app, await tokenOf(relayer), REGISTER, wire(second))
    expect([response.status, await readJson(response)]).toMatchObject([
      422,
      { code: 'CLAIM_ALREADY_REGISTERED', claimId },
    ])
    const attesting = await terms({ documentHash: first.attestation.documentHash })
    const again = await postPrepare(the.app, await tokenOf(issuer), ATTEST, attesting)
    expect((await readJson(again)).code).toBe('CLAIM_ALREADY_REGISTERED')
    const forced = await revertOf(act.submitAttestation(the.world, { ...second, submitter: relayer }))
    expect(forced.errorName).toBe('ClaimAlreadyRegistered')
  })

  it('is not attested either', async () => {
    const past = '2020-01-01T00:00:00Z'
    const tried: [Record<string, unknown>, string][] = [
      [{ validUntil: past }, 'ATTESTATION_EXPIRED'],
      [{ beneficiary: zeroAddress }, 'BENEFICIARY_INVALID'],
      [{ token: the.world.parties.stranger.address }, 'TOKEN_WITHOUT_CODE'],
      [{ faceValue: String(2n ** 128n) }, 'FACE_VALUE_TOO_LARGE'],
      [{ dueDate: past }, 'DUE_DATE_NOT_IN_FUTURE'],
    ]
    for (const [change, code] of tried) {
      const response = await postPrepare(the.app, await tokenOf(issuer), ATTEST, await terms(change))
      expect([response.status, (await readJson(response)).code]).toEqual([422, code])
    }
    const stranger = await tokenOf(the.world.parties.stranger)
    const response = await postPrepare(the.app, stranger, ATTEST, await terms())
    expect((await readJson(response)).code).toBe('ISSUER_INACTIVE')
  })
})

describe('what is attested', () => {
  it('reaches the typed data digit for digit', async () => {
    const token = await tokenOf(issuer)
    const times = fc.integer({ min: Math.ceil(Date.now() / 1000) + 864_000, max: 253_402_300_799 })
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
    const asked = fc.record({
      faceValue: fc.oneof(
        fc.constantFrom(1n, 2n ** 53n + 1n, 2n ** 128n - 1n),
        fc.bigInt(1n, 2n ** 128n - 1n),
      ),
      dueDate: times,
      validUntil: times,
      claimType: fc.nat({ max: 255 }),
      documentHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => bytesToHex(array)),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ faceValue, dueDate, validUntil, claimType, documentHash }) => {
        const body = await terms({
          faceValue: String(faceValue),
          dueDate: iso(dueDate),
          validUntil: iso(validUntil),
          claimType,
          documentHash,
        })
        const response = await postPrepare(the.app, token, ATTEST, body)
        const { typedData, claimId } = attestationAnswer.parse(await response.json())
        expect(typedData.message).toMatchObject({
          faceValue: String(faceValue),
          dueDate: String(dueDate),
          validUntil: String(validUntil),
          claimType: String(claimType),
          documentHash,
        })
        expect(claimId).toBe(claimIdOf(31_337, registry(), { issuer: issuer.address, documentHash }))
      }),
      { numRuns: 60 },
    )
  })

  it('is refused where a number does not fit its type, and named', async () => {
    const relayer = await tokenOf(the.world.parties.relayer)
    const { attestation, signature } = wire(await signed({}))
    for (const [field, value] of [
      ['dueDate', String(2n ** 64n)],
      ['validUntil', String(2n ** 64n)],
      ['claimType', '256'],
      ['faceValue', '0'],
      ['faceValue', String(2n ** 256n)],
    ] as const) {
      const body = { attestation: { ...attestation, [field]: value }, signature }
      const response = await postPrepare(the.app, relayer, REGISTER, body)
      expect([response.status, await readJson(response)]).toMatchObject([
        400,
        { code: 'VALIDATION_FAILED', errors: [{ path: `attestation.${field}` }] },
      ])
    }
  })
})
