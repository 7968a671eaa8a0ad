/** Attestations as issuers and registrants send them to the gateway. */
import type { Hex } from 'viem'
import type { ClaimAttestation } from '../../api/typed-data/claim-attestation.ts'
import type { World } from './protocol.ts'
import * as act from './scenario.ts'

export const ATTEST = '/issuer/attestations/prepare'
export const REGISTER = '/claims/registration/prepare'
export const CANCEL_ATTESTATION = '/issuer/attestations/cancellation/prepare'

export type SignedAttestation = { attestation: ClaimAttestation; signature: Hex }

/** Default attestation: a claim of the beneficiary in dollars. */
export const ATTESTED_FACE = 123_456_789n

/** An attestation as the contract takes it, signed by `signer` whatever the gateway would say to it. */
export async function signedAttestation(
  world: World,
  change: Partial<ClaimAttestation> = {},
  signer = world.parties.issuer,
): Promise<SignedAttestation> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: ATTESTED_FACE }
  const attestation = { ...(await act.attestationOf(world, terms)), ...change }
  return { attestation, signature: await act.signAttestation(world, signer, attestation) }
}

/** Body of the request of the issuer for the typed data. */
export function attestationBody({ issuer: _, ...attestation }: ClaimAttestation) {
  const { faceValue, dueDate, validUntil, ...rest } = attestation
  return {
    ...rest,
    faceValue: String(faceValue),
    dueDate: isoTime(dueDate),
    validUntil: isoTime(validUntil),
  }
}

/** Body of the request of anyone for the transaction. */
export function registrationBody({ attestation, signature }: SignedAttestation) {
  const message = Object.entries(attestation).map(([name, value]) => [name, String(value)])
  return { attestation: Object.fromEntries(message), signature }
}

function isoTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
}
