import type { Address } from 'viem'
import type { LensClaim } from '../chain/lens-types.ts'
import { remainingFace, slicesRemaining } from '../domain/claim.ts'
import type { ClaimReason, Refusal } from '../domain/reasons.ts'
import type { UnixSeconds } from '../domain/time.ts'

/**
 * Why no vault may finance a claim until `lastSecond`, whatever its terms; undefined when nothing of the claim itself speaks
 * against it. The first that applies, in the order of the catalogue.
 */
export function claimRefusal(claim: LensClaim, lastSecond: UnixSeconds): Refusal<ClaimReason> | undefined {
  if (claim.state === 'NONE') return { reason: 'CLAIM_NOT_FOUND' }
  if (claim.state !== 'ELIGIBLE' && claim.state !== 'PARTIALLY_FUNDED') {
    return { reason: 'CLAIM_NOT_FINANCEABLE', have: claim.state, need: 'ELIGIBLE or PARTIALLY_FUNDED' }
  }
  if (claim.dueAt <= lastSecond) return { reason: 'CLAIM_PAST_DUE', have: claim.dueAt, need: lastSecond + 1n }
  if (slicesRemaining(claim) < 1)
    return { reason: 'NO_SLICES_REMAINING', have: slicesRemaining(claim), need: 1 }
  if (remainingFace(claim) < 1n) return { reason: 'NO_REMAINING_FACE', have: remainingFace(claim), need: 1n }
  if (!claim.issuerActive) return { reason: 'ISSUER_INACTIVE', have: claim.issuer }
  return undefined
}

/** Why a claim is not this user's to finance; undefined for an unknown claim, of which there is something else to say. */
export function beneficiaryRefusal(claim: LensClaim, user: Address): Refusal<ClaimReason> | undefined {
  if (claim.state === 'NONE' || claim.beneficiary === user) return undefined
  return { reason: 'NOT_BENEFICIARY', have: claim.beneficiary, need: user }
}
