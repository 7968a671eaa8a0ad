/**
 * Prepares the settlement of a matured claim, whole or in part. Anyone may settle, also while the router is paused. How
 * `settle` and `pay` of contracts/Settlements.sol can revert, and the answers in their place:
 *
 * | revert                                      | answer                                                                       |
 * | ------------------------------------------- | ---------------------------------------------------------------------------- |
 * | UnknownClaim                                | 404 CLAIM_NOT_FOUND                                                          |
 * | ClaimNotSettleable                          | 422 CLAIM_NOT_SETTLEABLE; an issue when that is not final yet                |
 * | ClaimNotDue                                 | 422 CLAIM_NOT_MATURED                                                        |
 * | ERC20InsufficientBalance                    | issue BALANCE_TOO_LOW                                                        |
 * | ERC20InsufficientAllowance                  | issue ALLOWANCE_TOO_LOW, and the approvals that remove it                    |
 * | SafeERC20FailedOperation, a token's own     | issue EXECUTION_WOULD_REVERT                                                 |
 *
 * A token that pays a recipient of the settlement nothing is no revert: the router credits the recipient. `settle` pays
 * before the due date, too, which this service does not prepare: 422 CLAIM_NOT_MATURED.
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { readClaim } from '../chain/claim.ts'
import type { ChainClaim, LensAllocation } from '../chain/lens-types.ts'
import type { PinBlock, PinnedBlock } from '../chain/pin-block.ts'
import { isMatured, unpaidFace } from '../domain/claim.ts'
import type { BaseUnits } from '../domain/money.ts'
import { divide } from '../domain/paid-shares.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { latestOf } from '../domain/window.ts'
import { CodedError, claimNotFound } from '../errors.ts'
import { readPaymentPrerequisites } from './approvals.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

/** Receivers and amounts of the face that `payer` pays; each vault once. */
export type PreparedSettlement = PreparedTransaction & {
  claim: ChainClaim
  faceAmount: BaseUnits
  /** Whether it pays all that is unpaid. */
  settles: boolean
  repayments: readonly LensAllocation[]
  beneficiaryAmount: BaseUnits
}

/**
 * The time that decides whether a claim is due is the later one of the clock and the pinned block: finality must not
 * delay a due claim.
 *
 * @param request `amount` is the most that is paid; by default all that is unpaid
 * @throws `CLAIM_NOT_FOUND`, `CLAIM_NOT_SETTLEABLE`, `CLAIM_NOT_MATURED`, `CHAIN_UNAVAILABLE`
 */
export async function prepareSettlement(
  deps: PrepareDeps,
  { payer, claimId, amount }: { payer: Address; claimId: Hex; amount?: BaseUnits | undefined },
  pinBlock: PinBlock,
): Promise<PreparedSettlement> {
  const { chain, deployment, clock } = deps
  const { claimRegistry, financingRouter } = deployment.contracts
  const block = await pinBlock()
  const { claim, allocations } = await readClaim(chain, block, claimRegistry, claimId)
  refuseUnsettleable(claim, block, latestOf(clock(), block))
  const unpaid = unpaidFace(claim)
  const settles = amount === undefined || amount >= unpaid
  const faceAmount = settles ? unpaid : amount
  const split = { faceAmount, settles, ...splitOf(claim, allocations, faceAmount) }
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: settles ? 'settle' : 'pay',
    args: [claimId, claim.token, faceAmount],
  })
  const step = {
    transaction: unsigned(deployment, { from: payer, to: financingRouter, data }),
    description: describe(deployment, block, claim, split),
  }
  const payment = { owner: payer, token: claim.token, spender: financingRouter, amount: faceAmount }
  const prerequisites = await readPaymentPrerequisites(deps, payment)
  return { ...(await toPrepared(chain, block, step, prerequisites)), claim, ...split }
}

function refuseUnsettleable(claim: ChainClaim, block: PinnedBlock, now: UnixSeconds): void {
  if (claim.state === 'NONE') throw claimNotFound(claim.claimId, block.number)
  if (claim.state === 'SETTLED' || claim.state === 'REVOKED') throw notSettleable(claim, claim.state)
  if (!isMatured(claim, now)) throw notMatured(claim)
}

function notSettleable({ claimId }: ChainClaim, state: 'SETTLED' | 'REVOKED'): CodedError {
  const why = state === 'SETTLED' ? 'was paid before' : 'was revoked by its issuer: nothing is owed'
  const detail = `Claim ${claimId} ${why}. No payment is due.`
  return new CodedError('CLAIM_NOT_SETTLEABLE', detail, { facts: { claimId, state } })
}

function notMatured({ claimId, dueAt }: ChainClaim): CodedError {
  const dueDate = formatTime(dueAt)
  const detail = `Claim ${claimId} is due at ${dueDate}. Settle it from then on.`
  return new CodedError('CLAIM_NOT_MATURED', detail, {
    facts: { claimId, dueDate, dueDateUnix: unixNumber(dueAt) },
  })
}

/** Divides a payment between the vaults and the beneficiary. */
export function splitOf(claim: ChainClaim, allocations: readonly LensAllocation[], faceAmount: BaseUnits) {
  const before = divide(allocations, claim)
  const after = divide(allocations, { ...claim, paidFaceValue: claim.paidFaceValue + faceAmount })
  const repayments = allocations.map(({ vault }, i) => ({
    vault,
    faceAmount: (after.shares[i] ?? 0n) - (before.shares[i] ?? 0n),
  }))
  return {
    repayments: sumByVault(repayments),
    beneficiaryAmount: after.beneficiaryShare - before.beneficiaryShare,
  }
}

function sumByVault(allocations: readonly LensAllocation[]): LensAllocation[] {
  const sums = new Map<Address, BaseUnits>()
  for (const { vault, faceAmount } of allocations) sums.set(vault, (sums.get(vault) ?? 0n) + faceAmount)
  return [...sums].map(([vault, faceAmount]) => ({ vault, faceAmount }))
}

type Split = Pick<PreparedSettlement, 'faceAmount' | 'settles' | 'repayments' | 'beneficiaryAmount'>

function describe(
  { tokens }: Manifest,
  block: PinnedBlock,
  { claimId, token, faceValue, beneficiary, dueAt }: ChainClaim,
  { faceAmount, settles, repayments, beneficiaryAmount }: Split,
): string {
  const inWords = (amount: BaseUnits) => amountInWords(tokens, token, amount)
  const shares = repayments
    .filter((part) => part.faceAmount > 0n)
    .map((part) => `${inWords(part.faceAmount)} to vault ${part.vault}`)
  if (beneficiaryAmount > 0n) shares.push(`${inWords(beneficiaryAmount)} to the beneficiary ${beneficiary}`)
  return [
    `Pay ${inWords(faceAmount)} from this wallet, ${partOf(faceAmount, faceValue, settles)} of claim ${claimId}, due since ${formatTime(dueAt)}.`,
    `By the state of block ${block.number}, the payment goes: ${shares.join('; ')}.`,
    'It can be sent until anyone has settled the claim.',
  ].join(' ')
}

function partOf(faceAmount: BaseUnits, faceValue: BaseUnits, settles: boolean): string {
  if (faceAmount === faceValue) return 'the face value'
  return settles ? 'all that is unpaid' : 'a part'
}
