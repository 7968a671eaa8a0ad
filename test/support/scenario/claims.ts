import { type Address, encodeFunctionData, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { claimRegistryAbi } from '../../../abis/ClaimRegistry.ts'
import {
  type ClaimAttestation,
  claimAttestationTypes,
  claimRegistryDomain,
} from '../../../api/typed-data/claim-attestation.ts'
import type { Party } from '../parties.ts'
import type { World } from '../protocol.ts'
import { send } from '../transactions.ts'
import { chainTime, DAY } from './time.ts'

export const CLAIM_STATES = [
  'NONE',
  'ELIGIBLE',
  'PARTIALLY_FUNDED',
  'FULLY_FUNDED',
  'SETTLED',
  'REVOKED',
  'CLOSED',
] as const
export type ClaimStateName = (typeof CLAIM_STATES)[number]
export const ClaimState = {
  NONE: 0,
  ELIGIBLE: 1,
  PARTIALLY_FUNDED: 2,
  FULLY_FUNDED: 3,
  SETTLED: 4,
  REVOKED: 5,
  CLOSED: 6,
} as const

/** `faceValue` in base units of `token`; times in Unix seconds. */
export type ClaimTerms = {
  issuer: Party
  beneficiary: Address
  token: Address
  faceValue: bigint
  /** 30 and a half days from now unless given: 30 whole days for the next twelve hours. */
  dueDate?: bigint
  /** 0 unless given. */
  claimType?: number
  /** A document that no claim has yet unless given. */
  documentHash?: Hex
  /** One day from now unless given. */
  validUntil?: bigint
}

/** The attestation of a claim, with what `terms` leaves open filled in. */
export async function attestationOf(world: World, terms: ClaimTerms): Promise<ClaimAttestation> {
  const now = await chainTime(world)
  return {
    issuer: terms.issuer.address,
    beneficiary: terms.beneficiary,
    token: terms.token,
    faceValue: terms.faceValue,
    dueDate: terms.dueDate ?? now + 30n * DAY + DAY / 2n,
    claimType: terms.claimType ?? 0,
    documentHash: terms.documentHash ?? world.newDocument(),
    validUntil: terms.validUntil ?? now + DAY,
  }
}

/** Signs as `signer`, whatever issuer the attestation names. */
export function signAttestation(world: World, signer: Party, message: ClaimAttestation): Promise<Hex> {
  return signer.key.signTypedData({
    domain: claimRegistryDomain(world.chainId, world.protocol.claimRegistry),
    types: claimAttestationTypes,
    primaryType: 'ClaimAttestation',
    message,
  })
}

export async function submitAttestation(
  world: World,
  { attestation, signature, submitter }: { attestation: ClaimAttestation; signature: Hex; submitter: Party },
): Promise<{ claimId: Hex; receipt: TransactionReceipt }> {
  const data = encodeFunctionData({
    abi: claimRegistryAbi,
    functionName: 'register',
    args: [attestation, signature],
  })
  const receipt = await send(world.chain, submitter, { to: world.protocol.claimRegistry, data })
  const [registered] = parseEventLogs({
    abi: claimRegistryAbi,
    logs: receipt.logs,
    eventName: 'ClaimRegistered',
  })
  if (!registered) throw new Error('register emitted no ClaimRegistered')
  return { claimId: registered.args.claimId, receipt }
}

/** The issuer attests a claim and `submitter` (the relayer unless given) registers it. */
export async function registerClaim(
  world: World,
  { submitter = world.parties.relayer, ...terms }: ClaimTerms & { submitter?: Party },
): Promise<{ claimId: Hex; attestation: ClaimAttestation; receipt: TransactionReceipt }> {
  const attestation = await attestationOf(world, terms)
  const signature = await signAttestation(world, terms.issuer, attestation)
  return { attestation, ...(await submitAttestation(world, { attestation, signature, submitter })) }
}

/** The issuer revokes a claim: an unfinanced one is void, a partially funded one takes no further financing. */
export function revokeClaim(
  world: World,
  { issuer, claimId }: { issuer: Party; claimId: Hex },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args: [claimId] })
  return send(world.chain, issuer, { to: world.protocol.claimRegistry, data })
}

export function cancelAttestation(
  world: World,
  { attestation, as }: { attestation: ClaimAttestation; as: Party },
): Promise<TransactionReceipt> {
  const args = [attestation] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'cancelAttestation', args })
  return send(world.chain, as, { to: world.protocol.claimRegistry, data })
}

/** The claim as the contract has it, its state by name. */
export async function claimOf(world: World, claimId: Hex) {
  const { state, ...claim } = await world.chain.readContract({
    abi: claimRegistryAbi,
    address: world.protocol.claimRegistry,
    functionName: 'claim',
    args: [claimId],
  })
  const name = CLAIM_STATES[state]
  if (!name) throw new Error(`claim ${claimId} has the unknown state ${state}`)
  return { ...claim, state: name }
}

/** The claim on a document that is not revoked; zero where there is none. */
export function claimOfDocument(
  world: World,
  { issuer, documentHash }: { issuer: Address; documentHash: Hex },
): Promise<Hex> {
  return world.chain.readContract({
    abi: claimRegistryAbi,
    address: world.protocol.claimRegistry,
    functionName: 'claimOfDocument',
    args: [issuer, documentHash],
  })
}

export function allocationsOf(world: World, claimId: Hex) {
  return world.chain.readContract({
    abi: claimRegistryAbi,
    address: world.protocol.claimRegistry,
    functionName: 'allocations',
    args: [claimId],
  })
}
