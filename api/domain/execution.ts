/** `ExecutionKind` of contracts/Types.sol, in its order. */
export const executionKinds = ['ROUTE', 'DIRECT'] as const
export type ExecutionKind = (typeof executionKinds)[number]

/** Status of an execution. The first three follow each other; the last three end one that was only prepared. */
export const executionStatuses = [
  'PREPARED',
  'MINED',
  'EXECUTED',
  'SUPERSEDED',
  'CANCELLED',
  'EXPIRED',
] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
