/**
 * Prepares the revocation of a claim by its issuer, who repays the vaults that financed it. How `revoke` of
 * contracts/Settlements.sol can revert, and the answer instead:
 *
 * | revert                                  | answer                                                          |
 * | --------------------------------------- | --------------------------------------------------------------- |
 * | NotIssuer                               | 404 CLAIM_NOT_FOUND, 403 ISSUER_MISMATCH                        |
 * | ClaimNotRevocable                       | 422 CLAIM_NOT_REVOCABLE; an issue when that is not final yet    |
 * | AmountExceedsMaximum                    | issue EXECUTION_WOULD_REVERT: it was financed since, prepare again |
 * | ERC20InsufficientBalance                | issue BALANCE_TOO_LOW                                           |
 * | ERC20InsufficientAllowance              | issue ALLOWANCE_TOO_LOW, and the approvals that remove it       |
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { type Allocation, readClaim } from '../chain/claim.ts'
import type { ChainClaim } from '../chain/lens-types.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { larger } from '../domain/bigint.ts'
import type { BaseUnits } from '../domain/money.ts'
import { CodedError, claimNotFound } from '../errors.ts'
import { readPaymentPrerequisites } from './approvals.ts'
import type { PrepareDeps } from './deps.ts'
import { sumByVault } from './settlement.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

export type RevocationRequest = {
  issuer: Address
  claimId: Hex
  /** Default: the face that is financed at the pinned block. */
  maxAmount: BaseUnits | undefined
}

/** Amounts that the issuer pays at the pinned block, and at most; each vault once. */
export type PreparedRevocation = PreparedTransaction & {
  claim: ChainClaim
  repayments: readonly Allocation[]
  maxAmount: BaseUnits
}

/** @throws `CLAIM_NOT_FOUND`, `ISSUER_MISMATCH`, `CLAIM_NOT_REVOCABLE`, `CHAIN_UNAVAILABLE` */
export async function prepareRevocation(
  deps: PrepareDeps,
  { issuer, claimId, maxAmount: requested }: RevocationRequest,
  pinBlock: PinBlock,
): Promise<PreparedRevocation> {
  const { chain, deployment } = deps
  const { claimRegistry, financingRouter } = deployment.contracts
  const block = await pinBlock()
  const { claim, allocations } = await readClaim(chain, block, claimRegistry, claimId)
  if (claim.state === 'NONE') throw claimNotFound(claimId, block.number)
  refuseUnrevocable(claim, issuer)
  const { token, financedFaceValue: financed } = claim
  const maxAmount = larger(requested ?? financed, financed)
  const args = [claimId, token, maxAmount] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'revoke', args })
  const repayments = sumByVault(allocations)
  const inWords = (amount: BaseUnits) => amountInWords(deployment.tokens, token, amount)
  const shares = repayments.map(({ vault, faceAmount }) => `${inWords(faceAmount)} to vault ${vault}`)
  const paid = shares.length > 0 ? `Pay ${shares.join('; ')}, and r` : 'R'
  const step = {
    transaction: unsigned(deployment, { from: issuer, to: financingRouter, data }),
    description: `${paid}evoke claim ${claimId}: nothing is owed on it afterwards. At most ${inWords(maxAmount)} are paid, if it is financed meanwhile. A corrected attestation of the same document can then be registered.`,
  }
  const payment = { owner: issuer, token, spender: financingRouter, amount: maxAmount }
  const prerequisites = await readPaymentPrerequisites(deps, payment)
  return { ...(await toPrepared(chain, block, step, prerequisites)), claim, repayments, maxAmount }
}

function refuseUnrevocable({ claimId, issuer, state }: ChainClaim, wallet: Address): void {
  if (issuer !== wallet) {
    const detail = `Claim ${claimId} is of issuer ${issuer}, who alone can revoke it. Sign in with ${issuer}.`
    throw new CodedError('ISSUER_MISMATCH', detail, { facts: { issuer, wallet } })
  }
  if (state === 'SETTLED' || state === 'REVOKED') {
    const detail = `Claim ${claimId} is ${state === 'SETTLED' ? 'paid' : 'revoked'} already. Nothing can be revoked.`
    throw new CodedError('CLAIM_NOT_REVOCABLE', detail, { facts: { claimId, state } })
  }
}
