/** How far a submitted transaction has come; each step includes those before, and `REVERTED` ends the way. */
export const transactionStatuses = [
  'NOT_FOUND',
  'PENDING',
  'MINED',
  'FINALIZED',
  'PROJECTED',
  'REVERTED',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]
