/** The model's view of a vault's terms: what it refuses and what it charges. */
import type { Address, Hex } from 'viem'
import type { ModelClaim, ModelLeg, ModelVault, Refusal } from './model.ts'

export type ModelMandate = {
  types: readonly number[]
  minDurationDays: number
  maxDurationDays: number
  minFace: bigint
  maxFace: bigint
  maxClaimFace: bigint
  maxIssuerFace: bigint
}
export type ModelPricing = {
  baseDiscountBps: number
  durationBpsPerDay: number
  premiumBps: readonly number[]
}

export type ModelTerms = { mandate: ModelMandate; pricing: ModelPricing }

const SECONDS_PER_DAY = 86_400n

function daysToDue(claim: ModelClaim, now: bigint): bigint {
  return (claim.dueDate - now - ((claim.dueDate - now) % SECONDS_PER_DAY)) / SECONDS_PER_DAY
}

/** The discount on `face` in base units; a broken unit is the user's to pay. */
export function priceOf(pricing: ModelPricing, claim: ModelClaim, face: bigint, now: bigint): bigint {
  const premium = BigInt(pricing.premiumBps[claim.claimType] ?? 0)
  const bps =
    BigInt(pricing.baseDiscountBps) + BigInt(pricing.durationBpsPerDay) * daysToDue(claim, now) + premium
  const exact = face * (bps < 10_000n ? bps : 10_000n)
  return exact % 10_000n === 0n ? exact / 10_000n : exact / 10_000n + 1n
}

export function refusalOfQuote(
  vault: ModelVault,
  claim: ModelClaim,
  leg: ModelLeg,
  now: bigint,
  /** Face that the issuer of the claim owes the vault. */
  owed: bigint,
): Refusal | undefined {
  const { mandate } = vault
  const {
    claimId,
    vault: address,
    faceAmount: face,
  }: { claimId: Hex; vault: Address; faceAmount: bigint } = leg
  const own = claim.allocations.filter((part) => part.vault === address)
  const held = own.reduce((sum, part) => sum + part.faceAmount, 0n)
  const remaining = claim.faceValue - claim.financedFaceValue
  const refusals: [boolean, () => Refusal][] = [
    [
      ![1, 2].includes(claim.state),
      () => ({ errorName: 'ClaimNotFinanceable', args: [claimId, claim.state] }),
    ],
    [claim.dueDate <= now, () => ({ errorName: 'ClaimPastDue', args: [claimId, claim.dueDate] })],
    [claim.token !== vault.token, () => ({ errorName: 'TokenMismatch', args: [claimId, address] })],
    [
      !mandate.types.includes(claim.claimType),
      () => ({ errorName: 'TypeNotSupported', args: [claimId, address] }),
    ],
    [
      claim.dueDate < now + BigInt(mandate.minDurationDays) * SECONDS_PER_DAY,
      () => ({ errorName: 'DurationBelowMinimum', args: [claimId, address] }),
    ],
    [
      daysToDue(claim, now) > BigInt(mandate.maxDurationDays),
      () => ({ errorName: 'DurationExceeded', args: [claimId, address] }),
    ],
    [face < mandate.minFace, () => ({ errorName: 'BelowMinimumLot', args: [claimId, address, face] })],
    [face > mandate.maxFace, () => ({ errorName: 'AboveMaximumLot', args: [claimId, address, face] })],
    [face > remaining, () => ({ errorName: 'FaceExceedsRemaining', args: [claimId, face, remaining] })],
    [
      held + face > mandate.maxClaimFace,
      () => ({ errorName: 'AboveMaximumClaimFace', args: [claimId, address, face] }),
    ],
    [
      owed + face > mandate.maxIssuerFace,
      () => ({ errorName: 'AboveMaximumIssuerFace', args: [claimId, address, face] }),
    ],
  ]
  return refusals.find(([applies]) => applies)?.[1]()
}
