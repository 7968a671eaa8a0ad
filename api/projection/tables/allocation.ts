/** Allocations: the part of a claim that one vault financed. */
import type { ShortList } from '../sql/keys.ts'
import type { Source } from '../sql/source.ts'

export const allocations = {
  table: 'allocation',
  key: ['claimId', 'sliceIndex'],
  columns: {
    claimId: 'hex',
    sliceIndex: 'count',
    vault: 'hex',
    executionId: 'hex',
    token: 'hex',
    issuer: 'hex',
    claimType: 'count',
    faceAmount: 'integer',
    advanceAmount: 'integer',
    paidFace: 'integer',
    repaidFace: 'integer',
    dueAt: 'integer',
    settled: 'boolean',
    fundedAt: 'integer',
    ordinal: 'ordinal',
    repaidAt: 'integer',
  },
  orders: {
    fundedAt: ['fundedAt', 'ordinal'],
    faceAmount: ['faceAmount', 'ordinal'],
  },
  parents: ['vault'],
  unindexed: ['executionId', 'claimType', 'advanceAmount', 'dueAt', 'settled', 'repaidAt'],
  rollups: [
    {
      table: 'vaultDay',
      columns: { token: 'token', vault: 'vault' },
      time: 'fundedAt',
      count: 'allocations',
      amounts: { faceAmount: 'faceFinanced', advanceAmount: 'advanced' },
    },
    {
      table: 'issuerDay',
      columns: { token: 'token', issuer: 'issuer' },
      time: 'fundedAt',
      count: 'allocations',
      amounts: { faceAmount: 'faceFinanced', advanceAmount: 'advanced' },
    },
  ],
} as const satisfies Source<'allocation'>

/** The allocations of a claim by slice: at most `MAX_SLICES_PER_CLAIM`. */
export const allocationsOfClaim: ShortList<'allocation'> = {
  source: allocations,
  column: 'claimId',
  orderBy: 'sliceIndex',
}
