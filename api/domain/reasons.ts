/** Reasons for which routing omits a claim, or a vault for a claim. Machine-readable and stable. */

export const claimReasons = [
  'ROUTER_PAUSED',
  'CLAIM_NOT_FOUND',
  'NOT_BENEFICIARY',
  'CLAIM_NOT_FINANCEABLE',
  'CLAIM_PAST_DUE',
  'DUE_WITHIN_DEADLINE',
  'NO_SLICES_REMAINING',
  'NO_REMAINING_FACE',
  'ISSUER_INACTIVE',
  'NO_ELIGIBLE_VAULT',
] as const
export type ClaimReason = (typeof claimReasons)[number]

export const vaultReasons = [
  'TOKEN_MISMATCH',
  'VAULT_INACTIVE',
  'TYPE_NOT_SUPPORTED',
  'DURATION_BELOW_MINIMUM',
  'DURATION_EXCEEDED',
  'BELOW_MINIMUM_LOT',
  'ABOVE_MAXIMUM_LOT',
  'ABOVE_MAXIMUM_CLAIM_FACE',
  'ABOVE_MAXIMUM_ISSUER_FACE',
  'NO_LIQUIDITY',
  'QUOTE_REJECTED',
] as const
export type VaultReason = (typeof vaultReasons)[number]

/** A failed condition with the actual and the required value. */
export type Refusal<Reason extends string> = {
  reason: Reason
  have?: bigint | number | string
  need?: bigint | number | string
}
