/** `ExecutionKind` of contracts/Types.sol, in its order. */
export const executionKinds = ['ROUTE', 'DIRECT'] as const
export type ExecutionKind = (typeof executionKinds)[number]

/**
 * Status of an execution. An execution passes through the first three in this order. The last three end an execution
 * that was only prepared.
 */
export const executionStatuses = [
  'PREPARED',
  'MINED',
  'EXECUTED',
  'SUPERSEDED',
  'CANCELLED',
  'EXPIRED',
] as const
export type ExecutionStatus = (typeof executionStatuses)[number]
