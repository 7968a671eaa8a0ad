/**
 * An issuer signs what the gateway prepares, anybody registers it with what the gateway prepares from that, and the
 * registry has the claim as it was described.
 */
import { SignTypedDataVersion, signTypedData, type TypedMessage } from '@metamask/eth-sig-util'
import { decodeFunctionData, getAbiItem, type Hex, isHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import {
  ATTEST,
  ATTESTED_FACE,
  attestationBody,
  REGISTER,
  registrationBody,
  signedAttestation,
} from '../support/attestations.ts'
import { createGateway } from '../support/gateway.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendPrepared } from '../support/prepared.ts'
import { createSmartWallet } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { outcomeOf, send } from '../support/transactions.ts'

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

/** The issuer asks for the typed data of a claim of type 3. */
async function attest(party = issuer) {
  const terms = { issuer: party, beneficiary: the.world.parties.beneficiary.address, token: the.world.usd }
  const all = { ...terms, faceValue: ATTESTED_FACE, claimType: 3 }
  const body = attestationBody(await act.attestationOf(the.world, all))
  const response = await postPrepare(the.app, await tokenOf(party), ATTEST, body)
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

describe('registering a claim', () => {
  it('takes an attestation from a signature to the registry, submitted by anyone, as both answers say', async () => {
    const { relayer, beneficiary } = the.world.parties
    const attested = await attest()
    const { message } = attested.typedData
    expect(message).toMatchObject({
      issuer: issuer.address,
      beneficiary: beneficiary.address,
      faceValue: String(ATTESTED_FACE),
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
        expect.objectContaining({
          faceValue: ATTESTED_FACE,
          claimType: 3,
          dueDate: BigInt(message.dueDate ?? 0),
        }),
        signature,
      ],
    })

    await sendPrepared(the.world, answer)
    expect(await act.claimOf(the.world, attested.claimId)).toMatchObject({
      state: 'ELIGIBLE',
      faceValue: ATTESTED_FACE,
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
    const of = { address: registry(), abi: claimRegistryAbi, args: [attestation] } as const
    const onChain = await the.world.chain.readContract({ ...of, functionName: 'attestationDigest' })
    expect([digest, claimId]).toEqual([onChain, onChain])
    expect(issuer).toBe(the.world.parties.issuer.address)
  })

  it('is possible for an issuer that is a contract wallet', async () => {
    const wallet = await createSmartWallet(the.world, the.world.parties.otherIssuer)
    await act.setIssuerActive(the.world, { issuer: wallet.address, active: true })
    await routes.settleDown(the)
    const attested = await attest(wallet)
    const body = { attestation: attested.typedData.message, signature: sign(wallet, attested) }
    const answer = await prepare(the.app, await tokenOf(the.world.parties.relayer), REGISTER, body)
    expect(answer.issues).toEqual([])
    await sendPrepared(the.world, answer)
    expect(await act.claimOf(the.world, attested.claimId)).toMatchObject({
      state: 'ELIGIBLE',
      issuer: expect.stringMatching(new RegExp(wallet.address, 'i')),
    })
  })

  it('is possible for a day unless the issuer says until when', async () => {
    const { attestation } = await signedAttestation(the.world)
    const { validUntil: _, ...body } = attestationBody(attestation)
    const response = await postPrepare(the.app, await tokenOf(issuer), ATTEST, body)
    const { validUntil, typedData } = attestationAnswer.parse(await response.json())
    const until = BigInt(Date.parse(validUntil) / 1000)
    expect(typedData.message.validUntil).toBe(String(until))
    const left = until - (await act.chainTime(the.world))
    expect([left > act.DAY - 60n, left < act.DAY + 60n]).toEqual([true, true])
  })

  it('says that it is possible until the claim is due, where that comes before the end of the attestation', async () => {
    const dueDate = (await act.chainTime(the.world)) + 3_600n
    const signed = await signedAttestation(the.world, { dueDate })
    const last = new Date(Number(dueDate - 1n) * 1000).toISOString().replace('.000Z', 'Z')
    const body = attestationBody(signed.attestation)
    const attested = await readJson(await postPrepare(the.app, await tokenOf(issuer), ATTEST, body))
    expect(attested.description).toContain(`Anyone can register it with the signature until ${last}.`)
    const answer = await prepare(the.app, await tokenOf(issuer), REGISTER, registrationBody(signed))
    expect(answer.description).toContain(`It can be sent until ${last}.`)
    await the.world.chain.setNextBlockTimestamp({ timestamp: dueDate - 1n })
    await sendPrepared(the.world, answer)
    await routes.settleDown(the)
  })

  it('says so where no node can try it: whose signature it is, the registry then finds out', async () => {
    const register = toFunctionSelector(getAbiItem({ abi: claimRegistryAbi, name: 'register' }))
    const node = await startNodeProxy(
      ({ params }) => (JSON.stringify(params).includes(`"${register}`) ? { status: 400 } : undefined),
      the.world.rpcUrl,
    )
    const app = createGateway(the.store, { rpcUrl: node.url, clock: () => Date.now() + the.clock.skewMs })
    const forged = await signedAttestation(the.world, {}, the.world.parties.stranger)
    const answer = await prepare(app, await tokenOf(issuer), REGISTER, registrationBody(forged)).finally(
      node.stop,
    )
    expect(answer.issues.map(({ code }) => code)).toEqual(['SIMULATION_UNAVAILABLE'])
    expect(await outcomeOf(send(the.world.chain, issuer, answer.transaction))).toBe(
      'InvalidAttestationSignature',
    )
  })

  it('is reported as an issue where it was registered in a block that is not final', async () => {
    const signed = await signedAttestation(the.world)
    const relayer = the.world.parties.relayer
    await act.submitAttestation(the.world, { ...signed, submitter: relayer })
    const answer = await prepare(the.app, await tokenOf(relayer), REGISTER, registrationBody(signed))
    expect(answer.issues).toMatchObject([
      { code: 'EXECUTION_WOULD_REVERT', errorName: 'ClaimAlreadyRegistered' },
    ])
    await routes.settleDown(the)
  })

  it('answers 503 while no node does, and never a guess', async () => {
    const app = createGateway(the.store, { clock: () => Date.now() + the.clock.skewMs })
    const token = await routes.tokenOf({ app, clock: the.clock }, issuer)
    const signed = await signedAttestation(the.world)
    for (const [path, body] of [
      [ATTEST, attestationBody(signed.attestation)],
      [REGISTER, registrationBody(signed)],
    ] as const) {
      const response = await postPrepare(app, token, path, body)
      expect([response.status, (await readJson(response)).code]).toEqual([503, 'CHAIN_UNAVAILABLE'])
    }
  })
})
