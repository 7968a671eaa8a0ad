import type { Address } from 'viem'
import type { LensClaim } from '../chain/lens-types.ts'
import { financeableStates, remainingFace, slicesRemaining } from '../domain/claim.ts'
import type { ClaimReason, Refusal } from '../domain/reasons.ts'
import type { Window } from '../domain/window.ts'

/**
 * Returns the first reason, in the order of the catalogue, for which no vault can finance a claim throughout the
 * window; undefined when there is none.
 */
export function claimRefusal(claim: LensClaim, window: Window): Refusal<ClaimReason> | undefined {
  if (claim.state === 'NONE') return { reason: 'CLAIM_NOT_FOUND' }
  if (!financeableStates.includes(claim.state)) {
    return { reason: 'CLAIM_NOT_FINANCEABLE', have: claim.state, need: financeableStates.join(' or ') }
  }
  const due = dueRefusal(claim, window)
  if (due) return due
  if (slicesRemaining(claim) < 1)
    return { reason: 'NO_SLICES_REMAINING', have: slicesRemaining(claim), need: 1 }
  if (remainingFace(claim) < 1n) return { reason: 'NO_REMAINING_FACE', have: remainingFace(claim), need: 1n }
  if (!claim.issuerActive) return { reason: 'ISSUER_INACTIVE', have: claim.issuer }
  return undefined
}

/** The claim is due at the window's start, or before the end of its last second. */
export function dueRefusal({ dueAt }: LensClaim, { start, end }: Window): Refusal<ClaimReason> | undefined {
  if (dueAt <= start) return { reason: 'CLAIM_PAST_DUE', have: dueAt, need: start + 1n }
  if (dueAt <= end) return { reason: 'DUE_WITHIN_DEADLINE', have: dueAt, need: end + 1n }
  return undefined
}

/**
 * Returns the reason why this user cannot finance a claim; undefined for an unknown claim, which has a reason of its
 * own.
 */
export function beneficiaryRefusal(claim: LensClaim, user: Address): Refusal<ClaimReason> | undefined {
  if (claim.state === 'NONE' || claim.beneficiary === user) return undefined
  return { reason: 'NOT_BENEFICIARY', have: claim.beneficiary, need: user }
}
