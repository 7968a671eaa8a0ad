/**
 * Prepares the revocation of a claim by its issuer. How `revoke` of contracts/ClaimRegistry.sol can revert, and the
 * answer instead:
 *
 * | revert            | answer                                                       |
 * | ----------------- | ------------------------------------------------------------ |
 * | NotIssuer         | 404 CLAIM_NOT_FOUND, 403 ISSUER_MISMATCH                     |
 * | ClaimNotRevocable | 422 CLAIM_NOT_REVOCABLE; an issue when that is not final yet |
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { readClaim } from '../chain/claim.ts'
import type { ChainClaim } from '../chain/lens-types.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { financeableStates } from '../domain/claim.ts'
import { CodedError, claimNotFound } from '../errors.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

/** @throws `CLAIM_NOT_FOUND`, `ISSUER_MISMATCH`, `CLAIM_NOT_REVOCABLE`, `CHAIN_UNAVAILABLE` */
export async function prepareRevocation(
  { chain, deployment }: Pick<PrepareDeps, 'chain' | 'deployment'>,
  { issuer, claimId }: { issuer: Address; claimId: Hex },
  pinBlock: PinBlock,
): Promise<PreparedTransaction> {
  const { claimRegistry } = deployment.contracts
  const block = await pinBlock()
  const { claim } = await readClaim(chain, block, claimRegistry, claimId)
  if (claim.state === 'NONE') throw claimNotFound(claimId, block.number)
  refuseUnrevocable(claim, issuer)
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args: [claimId] })
  const financed = amountInWords(deployment.tokens, claim.token, claim.financedFaceValue)
  const step = {
    transaction: unsigned(deployment, { from: issuer, to: claimRegistry, data }),
    description: [
      `Revoke claim ${claimId}: nobody can finance it afterwards.`,
      claim.financedFaceValue === 0n
        ? 'Nothing is owed on it then, unless it is financed before, and a corrected attestation of the same document can be registered.'
        : `Its whole face stays owed, as ${financed} of it are financed. A settlement pays it.`,
    ].join(' '),
  }
  return toPrepared(chain, block, step)
}

function refuseUnrevocable({ claimId, issuer, state, paidFaceValue }: ChainClaim, wallet: Address): void {
  if (issuer !== wallet) {
    const detail = `Claim ${claimId} is of issuer ${issuer}, who alone can revoke it. Sign in with ${issuer}.`
    throw new CodedError('ISSUER_MISMATCH', detail, { facts: { issuer, wallet } })
  }
  if (!financeableStates.includes(state)) {
    const detail = `Claim ${claimId} is in state ${state}. Only a claim that can still be financed can be revoked.`
    throw new CodedError('CLAIM_NOT_REVOCABLE', detail, { facts: { claimId, state } })
  }
  if (paidFaceValue > 0n) {
    const detail = `A part of claim ${claimId} is paid. It can be revoked until the first payment only.`
    throw new CodedError('CLAIM_NOT_REVOCABLE', detail, { facts: { claimId, state } })
  }
}
