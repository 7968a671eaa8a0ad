/** Attestations of issuers: to sign, to register, to cancel. */
import { encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { claimAttestation, claimRegistryAbi } from '../generated/contracts.ts'
import { at, type Expected, hexAt, integerAt } from './compare.ts'
import { type Deployment, toAddress } from './deployment.ts'
import { type Call, optional, refuseLater, secondsAt, timeOf, transactionOf, typedDataOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

/** Default time for the registration of an attestation, seconds. */
const LIFETIME_SECONDS = 86_400

/** `POST /issuer/attestations/prepare`: the facts of the request, attested by the wallet. */
export function attestation(prepared: Prepared): Expected {
  const { request, answer, wallet, deployment } = prepared
  const isValidityGiven = at(request, 'body.validUntil') !== undefined
  const validUntil = isValidityGiven ? secondsAt(request, 'body.validUntil') : secondsAt(answer, 'validUntil')
  if (!isValidityGiven) refuseLater(prepared, 'validUntil', validUntil, LIFETIME_SECONDS)
  const dueDate = secondsAt(request, 'body.dueDate')
  const message = { ...termsIn(request, 'body'), issuer: wallet, dueDate, validUntil }
  const digest = digestOf(deployment, message)
  return {
    typedData: typedDataOf(claimAttestation, domainOf(deployment), message),
    claimId: digest,
    digest,
    validUntil: timeOf(validUntil),
  }
}

/** `POST /claims/registration/prepare`: the attestation of the request, with its signature. */
export function registration(prepared: Prepared): Expected {
  const message = messageIn(prepared.request)
  const args = [message, hexAt(prepared.request, 'body.signature')] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'register', args })
  return callWith(prepared, message, { data, words: 'register(attestation, signature)' })
}

/** `POST /issuer/attestations/cancellation/prepare`: the attestation of the request. */
export function attestationCancellation(prepared: Prepared): Expected {
  const message = messageIn(prepared.request)
  const args = [message] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'cancelAttestation', args })
  return callWith(prepared, message, { data, words: 'cancelAttestation(attestation)' })
}

type Message = ReturnType<typeof messageIn>

function callWith(prepared: Prepared, message: Message, call: Omit<Call, 'to'>): Expected {
  const to = toAddress(prepared.deployment.contracts.claimRegistry)
  return { ...transactionOf(prepared, { to, ...call }), claimId: digestOf(prepared.deployment, message) }
}

function messageIn(request: unknown) {
  return {
    ...termsIn(request, 'body.attestation'),
    issuer: hexAt(request, 'body.attestation.issuer'),
    dueDate: integerAt(request, 'body.attestation.dueDate'),
    validUntil: integerAt(request, 'body.attestation.validUntil'),
  }
}

function termsIn(request: unknown, path: string) {
  return {
    beneficiary: hexAt(request, `${path}.beneficiary`),
    token: hexAt(request, `${path}.token`),
    faceValue: integerAt(request, `${path}.faceValue`),
    claimType: Number(optional(request, `${path}.claimType`) ?? 0n),
    documentHash: hexAt(request, `${path}.documentHash`),
  }
}

/** The digest of an attestation is the id of its claim. */
function digestOf(deployment: Deployment, message: Message): Hex {
  return hashTypedData({ ...claimAttestation, domain: domainOf(deployment), message })
}

function domainOf({ chainId, contracts }: Deployment) {
  const verifyingContract = toAddress(contracts.claimRegistry)
  return { ...claimAttestation.domain, chainId: BigInt(chainId), verifyingContract }
}
