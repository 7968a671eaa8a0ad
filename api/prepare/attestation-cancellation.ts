/**
 * Prepares the cancellation of an attestation that its issuer signed and that is not registered. How
 * `cancelAttestation` of contracts/ClaimRegistry.sol can revert, and the answer instead; what came true after the
 * pinned block is an issue EXECUTION_WOULD_REVERT:
 *
 * | revert                 | answer                       |
 * | ---------------------- | ---------------------------- |
 * | NotIssuer              | 403 ISSUER_MISMATCH          |
 * | ClaimAlreadyRegistered | 422 CLAIM_ALREADY_REGISTERED |
 * | CancelledAttestation   | 422 ATTESTATION_CANCELLED    |
 */
import { encodeFunctionData, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { readAttestationFacts } from '../chain/attestation-facts.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { type ClaimAttestation, claimIdOf } from '../typed-data/claim-attestation.ts'
import { claimInWords } from './attestation.ts'
import type { PrepareDeps } from './deps.ts'
import { refuseUsed } from './judge-attestation.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'

export type PreparedAttestationCancellation = PreparedTransaction & { claimId: Hex }

/** @throws `CLAIM_ALREADY_REGISTERED`, `ATTESTATION_CANCELLED`, `CHAIN_UNAVAILABLE` */
export async function prepareAttestationCancellation(
  { chain, deployment }: PrepareDeps,
  attestation: ClaimAttestation,
  pinBlock: PinBlock,
): Promise<PreparedAttestationCancellation> {
  const { chainId, contracts, tokens } = deployment
  const block = await pinBlock()
  const claimId = claimIdOf(chainId, contracts.claimRegistry, attestation)
  refuseUsed(claimId, await readAttestationFacts(chain, block, contracts, { claimId, ...attestation }))
  const args = [attestation] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'cancelAttestation', args })
  const prepared = await toPrepared(chain, block, {
    transaction: unsigned(deployment, { from: attestation.issuer, to: contracts.claimRegistry, data }),
    description: `Cancel the attestation that ${claimInWords(tokens, { attestation, claimId })}. Nobody can register it afterwards.`,
  })
  return { ...prepared, claimId }
}
