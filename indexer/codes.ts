/** Enumerations of contracts/Types.sol in the contracts' order: an event carries the position. */
import type { ClaimState, ExecutionKind } from '../ponder.schema.ts'

export const claimStates = [
  'NONE',
  'ELIGIBLE',
  'PARTIALLY_FUNDED',
  'FULLY_FUNDED',
  'SETTLED',
  'REVOKED',
  'CLOSED',
] as const satisfies readonly ('NONE' | ClaimState)[]

export const executionKinds = ['ROUTE', 'DIRECT'] as const satisfies readonly ExecutionKind[]
