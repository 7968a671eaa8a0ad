import { MAX_SLICES_PER_CLAIM } from './limits.ts'
import type { BaseUnits } from './money.ts'
import type { UnixSeconds } from './time.ts'

/** States of a registered claim; contracts/Types.sol has the transitions. */
export const claimStates = [
  'ELIGIBLE',
  'PARTIALLY_FUNDED',
  'FULLY_FUNDED',
  'SETTLED',
  'REVOKED',
  'CLOSED',
] as const
export type ClaimState = (typeof claimStates)[number]

/** `ClaimState` of contracts/Types.sol, in its order. `NONE`: never registered. */
export const contractClaimStates = ['NONE', ...claimStates] as const

/** States in which a further part of the face can be financed. */
export const financeableStates: readonly string[] = ['ELIGIBLE', 'PARTIALLY_FUNDED'] satisfies ClaimState[]

/** States in which vaults that financed the claim wait for its payment. */
export const owedStates: readonly string[] = [
  'PARTIALLY_FUNDED',
  'FULLY_FUNDED',
  'CLOSED',
] satisfies ClaimState[]

/** Face that no vault has financed yet. */
export function remainingFace(claim: { faceValue: BaseUnits; financedFaceValue: BaseUnits }): BaseUnits {
  return claim.faceValue - claim.financedFaceValue
}

/** Face that is not paid yet. */
export function unpaidFace(claim: { faceValue: BaseUnits; paidFaceValue: BaseUnits }): BaseUnits {
  return claim.faceValue - claim.paidFaceValue
}

/** Number of slices that can still be financed, for any remaining face. */
export function slicesRemaining(claim: { sliceCount: number }): number {
  return MAX_SLICES_PER_CLAIM - claim.sliceCount
}

/**
 * Time since which a claim is overdue at `now`, the time of the block that was read: the due date of a claim that is
 * past due, financed by vaults, and not settled; else null.
 */
export function overdueSince(
  claim: { dueAt: UnixSeconds; state: ClaimState },
  now: UnixSeconds,
): UnixSeconds | null {
  return owedStates.includes(claim.state) && claim.dueAt < now ? claim.dueAt : null
}

/** Whether the claim is due at `now`, the time of the block that was read. */
export function isMatured(claim: { dueAt: UnixSeconds }, now: UnixSeconds): boolean {
  return claim.dueAt <= now
}
