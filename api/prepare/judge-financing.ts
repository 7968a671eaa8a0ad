/**
 * Whether one vault will finance one claim, as `executeFinancing` of contracts/FinancingRouter.sol checks it. Its
 * reverts and the answers in their place; a condition that changed after the pinned block is an issue
 * EXECUTION_WOULD_REVERT:
 *
 * | revert                                                                 | answer                                        |
 * | ---------------------------------------------------------------------- | --------------------------------------------- |
 * | EnforcedPause                                                          | 422 ROUTER_PAUSED                             |
 * | UnknownClaim                                                           | 404 CLAIM_NOT_FOUND                           |
 * | NotBeneficiary, ClaimNotFinanceable, NoSlicesRemaining,                | 422 LEG_NOT_FINANCEABLE                       |
 * | FaceExceedsRemaining                                                   |                                               |
 * | ClaimPastDue, at any time up to the deadline                           | 422 LEG_NOT_FINANCEABLE                       |
 * | IssuerInactive                                                         | 422 ISSUER_INACTIVE                           |
 * | VaultInactive                                                          | 422 VAULT_INACTIVE                            |
 * | TokenMismatch                                                          | 422 TOKEN_MISMATCH                            |
 * | TypeNotSupported, DurationExceeded, BelowMinimumLot, AboveMaximumLot,  | 422 MANDATE_REJECTED                          |
 * | AboveMaximumClaimFace, AboveMaximumIssuerFace                          |                                               |
 * | DurationBelowMinimum, at any time up to the deadline                   | 422 MANDATE_REJECTED                          |
 * | InsufficientLiquidity, at any time up to the deadline                  | 422 INSUFFICIENT_LIQUIDITY                    |
 * | AdvanceBelowMinimum                                                    | 422 TARGET_NO_LONGER_MET                      |
 * | DeadlineExpired                                                        | none: a deadline is a minute away at least    |
 * | SafeERC20FailedOperation, a token's own                                | issue EXECUTION_WOULD_REVERT                  |
 */
import type { Address } from 'viem'
import type { ChainClaim, RouteView } from '../chain/lens-types.ts'
import type { PinnedBlock } from '../chain/pin-block.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Refusal } from '../domain/reasons.ts'
import type { Window } from '../domain/window.ts'
import { judgeLeg, LEG_CODES, type LegReason, overdrawnVault } from '../eligibility/leg.ts'
import { type CodedError, claimNotFound } from '../errors.ts'
import type { Leg } from '../optimizer/index.ts'

/** A financing by one vault: `faceAmount` of a claim for at least `minimumAdvanceAmount`, where given. */
export type AskedLeg = Leg & { user: Address; minimumAdvanceAmount: BaseUnits | undefined }

/**
 * @returns the claim, and what the vault pays at the pinned block, which is the least that it pays within the window
 * @throws `CLAIM_NOT_FOUND`, the re-validation codes (specification, section 7) but `ROUTE_DEADLINE_TOO_SOON`
 */
export function judgeFinancing(
  { user, minimumAdvanceAmount, ...leg }: AskedLeg,
  { paused, legs: [seen] }: RouteView,
  block: Pick<PinnedBlock, 'number'>,
  window: Window,
): { claim: ChainClaim; advanceAmount: BaseUnits } {
  if (!seen) throw new Error('the lens answered fewer legs than it was asked for')
  const { claim, vault } = seen
  if (claim.state === 'NONE') throw claimNotFound(leg.claimId, block.number)
  if (paused) throw financingRefused(leg, { reason: 'ROUTER_PAUSED' })
  // The registry creates its vaults itself, so an address that cannot be read as a vault is not one of them.
  if (!vault.readable) throw financingRefused(leg, { reason: 'VAULT_INACTIVE' })
  const judged = judgeLeg(user, leg, seen, window)
  if ('refusal' in judged) throw financingRefused(leg, judged.refusal)
  const overdrawn = overdrawnVault([{ leg: judged.valid, vault }])
  if (overdrawn) throw financingRefused(leg, { ...overdrawn, reason: 'NO_LIQUIDITY' })
  const advanceAmount = judged.valid.minimumAdvanceAmount
  refuseLowAdvance(leg, advanceAmount, minimumAdvanceAmount)
  return { claim, advanceAmount }
}

const WHY = {
  ROUTER_PAUSED: 'The router is paused: nothing can be financed until it resumes.',
  CLAIM_NOT_FOUND: 'No such claim is registered.',
  NOT_BENEFICIARY: 'Only its beneficiary can finance a claim: sign in with that wallet.',
  CLAIM_NOT_FINANCEABLE: 'Its state does not allow it.',
  CLAIM_PAST_DUE: 'It is due: it can only be settled.',
  DUE_WITHIN_DEADLINE: 'It is due before the deadline. Lower deadlineSeconds, or settle it once it is due.',
  NO_SLICES_REMAINING: 'All of its slices are taken.',
  NO_REMAINING_FACE: 'All of its face is financed.',
  FACE_EXCEEDS_REMAINING: 'Less of its face remains than faceAmount.',
  ISSUER_INACTIVE: 'Its issuer is not active.',
  NO_ELIGIBLE_VAULT: 'No vault takes it.',
  TOKEN_MISMATCH: 'The vault is in another token.',
  VAULT_INACTIVE: 'The registry has no active vault at this address.',
  TYPE_NOT_SUPPORTED: 'The vault does not take its claim type.',
  DURATION_BELOW_MINIMUM:
    'At the deadline, it is due sooner than the vault allows, counted in whole days. Lower deadlineSeconds, or use another vault.',
  DURATION_EXCEEDED: 'It is due later than the vault allows, counted in days.',
  BELOW_MINIMUM_LOT: "faceAmount is below the vault's smallest lot.",
  ABOVE_MAXIMUM_LOT: "faceAmount is above the vault's largest lot.",
  ABOVE_MAXIMUM_CLAIM_FACE:
    'With faceAmount, the vault would hold more of the claim than its mandate allows.',
  ABOVE_MAXIMUM_ISSUER_FACE:
    'With faceAmount, the issuer of the claim would owe the vault more than its mandate allows.',
  NO_LIQUIDITY:
    'The available liquidity of the vault is below the advance that is possible until the deadline. Lower faceAmount.',
  QUOTE_REJECTED: 'The vault gives no quote for it that follows its own pricing.',
} as const satisfies Record<LegReason, string>

/** Makes a 422 with the re-validation code of the reason (specification, section 7). */
export function financingRefused(
  { claimId, vault }: Leg,
  { reason, ...sides }: Refusal<LegReason>,
): CodedError {
  const detail = `Claim ${claimId} cannot be financed by vault ${vault}. ${WHY[reason]}`
  return conditionFailed(LEG_CODES[reason], detail, { claimId, vault, reason, ...sides })
}

/** @throws `TARGET_NO_LONGER_MET` when the fresh quote is below the caller's minimum */
export function refuseLowAdvance(
  { claimId, vault }: Leg,
  have: BaseUnits,
  need: BaseUnits | undefined,
): void {
  if (need === undefined || have >= need) return
  const detail = `Vault ${vault} advances ${have} now, less than minimumAdvanceAmount. Lower it, or omit it to use the current quote.`
  throw conditionFailed('TARGET_NO_LONGER_MET', detail, { claimId, vault, have, need })
}
