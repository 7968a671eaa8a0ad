/** Kinds of events of a wallet, one per event and role. */
export const activityKinds = [
  'CLAIM_REGISTERED',
  'CLAIM_REVOKED',
  'EXECUTION',
  'SETTLEMENT_PAID',
  'SETTLEMENT_RECEIVED',
  'VAULT_DEPOSIT',
  'VAULT_WITHDRAWAL',
  'CREDITED',
  'CREDIT_WITHDRAWN',
] as const
export type ActivityKind = (typeof activityKinds)[number]
