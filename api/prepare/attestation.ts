/** Prepares what an issuer signs about a claim: the typed data from which anyone can then register it. */
import type { Hex } from 'viem'
import type { Manifest } from '../../deployments/manifest.ts'
import { readAttestationFacts } from '../chain/attestation-facts.ts'
import type { PinBlock, PinnedBlock } from '../chain/pin-block.ts'
import { smaller } from '../domain/bigint.ts'
import { formatTime } from '../domain/time.ts'
import { latestOf } from '../domain/window.ts'
import {
  type ClaimAttestation,
  claimAttestationTypes,
  claimIdOf,
  claimRegistryDomain,
} from '../typed-data/claim-attestation.ts'
import { type SignableTypedData, toSignable } from '../typed-data/signable.ts'
import type { PrepareDeps } from './deps.ts'
import { judgeAttestation } from './judge-attestation.ts'
import { amountInWords } from './words.ts'

export type CheckedAttestation = {
  attestation: ClaimAttestation
  /** The id that the claim will have. */
  claimId: Hex
  block: PinnedBlock
}

export type PreparedAttestation = CheckedAttestation & {
  typedData: SignableTypedData
  /** EIP-712 digest that the issuer signs: the id of the claim. */
  digest: Hex
  description: string
}

/** @throws what `judgeAttestation` throws, `CHAIN_UNAVAILABLE` */
export async function prepareAttestation(
  deps: PrepareDeps,
  attestation: ClaimAttestation,
  pinBlock: PinBlock,
): Promise<PreparedAttestation> {
  const { chainId, contracts, tokens } = deps.deployment
  const checked = await checkAttestation(deps, attestation, pinBlock)
  const typed = {
    domain: claimRegistryDomain(chainId, contracts.claimRegistry),
    types: claimAttestationTypes,
    primaryType: 'ClaimAttestation',
    message: attestation,
  } as const
  return {
    ...checked,
    typedData: toSignable(typed),
    digest: checked.claimId,
    description: `Attest that ${claimInWords(tokens, checked)}. Anyone can register it with the signature until ${registrableUntil(attestation)}.`,
  }
}

/**
 * Whether an attestation can be registered, apart from its signature.
 * @throws what `judgeAttestation` throws, `CHAIN_UNAVAILABLE`
 */
export async function checkAttestation(
  { chain, deployment, clock }: PrepareDeps,
  attestation: ClaimAttestation,
  pinBlock: PinBlock,
): Promise<CheckedAttestation> {
  const block = await pinBlock()
  const claimId = claimIdOf(deployment.chainId, deployment.contracts.claimRegistry, attestation)
  const facts = await readAttestationFacts(chain, block, deployment.contracts, { claimId, ...attestation })
  judgeAttestation(attestation, claimId, facts, latestOf(clock(), block))
  return { attestation, claimId, block }
}

/**
 * Returns the last second in which the registry accepts it, in words: before it expires, and before the claim is due.
 */
export function registrableUntil({ validUntil, dueDate }: ClaimAttestation): string {
  return formatTime(smaller(validUntil, dueDate - 1n))
}

export function claimInWords(
  tokens: Manifest['tokens'],
  { attestation, claimId }: Pick<CheckedAttestation, 'attestation' | 'claimId'>,
): string {
  const { issuer, beneficiary, token, faceValue, dueDate, documentHash } = attestation
  const amount = amountInWords(tokens, token, faceValue)
  return `issuer ${issuer} vouches for ${amount} owed to ${beneficiary} on ${formatTime(dueDate)}, by document ${documentHash}: claim ${claimId}`
}
