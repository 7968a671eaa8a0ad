/** Prepares the registration of a claim from a signed attestation. Anyone may submit it. */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { CodedError } from '../errors.ts'
import type { ClaimAttestation } from '../typed-data/claim-attestation.ts'
import { checkAttestation, claimInWords, registrableUntil } from './attestation.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'

export type PreparedRegistration = PreparedTransaction & { claimId: Hex }

type Registration = { submitter: Address; attestation: ClaimAttestation; signature: Hex }

/**
 * The contract decides whether the signature is valid, of a key or of a contract wallet (ERC-1271): so the registration
 * is simulated at the latest block, and refused when the contract rejects the signature.
 *
 * @throws what `judgeAttestation` throws, `ATTESTATION_SIGNATURE_INVALID`, `CHAIN_UNAVAILABLE`
 */
export async function prepareRegistration(
  deps: PrepareDeps,
  { submitter, attestation, signature }: Registration,
  pinBlock: PinBlock,
): Promise<PreparedRegistration> {
  const { deployment, chain } = deps
  const { claimRegistry } = deployment.contracts
  const checked = await checkAttestation(deps, attestation, pinBlock)
  const args = [attestation, signature] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'register', args })
  const prepared = await toPrepared(chain, checked.block, {
    transaction: unsigned(deployment, { from: submitter, to: claimRegistry, data }),
    description: `Register that ${claimInWords(deployment.tokens, checked)}. It can be sent until ${registrableUntil(attestation)}.`,
  })
  if (prepared.issues.some(({ errorName }) => errorName === 'InvalidAttestationSignature')) {
    throw signatureInvalid(attestation.issuer)
  }
  return { ...prepared, claimId: checked.claimId }
}

function signatureInvalid(issuer: Address): CodedError {
  const detail = `The signature of issuer ${issuer} does not match this attestation. Send all fields of the signed \`message\` unchanged, with the signature.`
  return new CodedError('ATTESTATION_SIGNATURE_INVALID', detail, { facts: { issuer } })
}
