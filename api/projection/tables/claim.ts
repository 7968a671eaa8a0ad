/** Claims, as registered, financed and settled. */
import type { Address, Hex } from 'viem'
import type { Snapshot } from '../session/snapshot.ts'
import { readByKeys } from '../sql/keys.ts'
import type { Source } from '../sql/source.ts'

export const claims = {
  table: 'claim',
  key: ['id'],
  columns: {
    id: 'hex',
    issuer: 'hex',
    beneficiary: 'hex',
    token: 'hex',
    faceValue: 'integer',
    financedFaceValue: 'integer',
    paidFaceValue: 'integer',
    dueAt: 'integer',
    claimType: 'count',
    sliceCount: 'count',
    state: 'text',
    documentHash: 'hex',
    registeredBlock: 'integer',
    registeredAt: 'integer',
    ordinal: 'ordinal',
    changedBlock: 'integer',
    changedAt: 'integer',
  },
  orders: {
    registeredAt: ['registeredAt', 'ordinal'],
    dueAt: ['dueAt', 'ordinal'],
    faceValue: ['faceValue', 'ordinal'],
  },
  parents: ['beneficiary', 'issuer'],
  splits: { state: ['registeredAt', 'dueAt'] },
  unindexed: ['financedFaceValue', 'sliceCount'],
  rollups: [
    {
      table: 'claimTotal',
      columns: { token: 'token', state: 'state', issuer: 'issuer', claimType: 'claimType' },
      count: 'claims',
      amounts: { faceValue: 'faceValue', financedFaceValue: 'financedFaceValue' },
    },
  ],
} as const satisfies Source<'claim'>

/** Reads issuer and beneficiary of each claim that is known, by claim. */
export async function readParties(
  snapshot: Snapshot,
  claimIds: readonly Hex[],
): Promise<ReadonlyMap<Hex, readonly Address[]>> {
  const rows = await readByKeys(snapshot, claims, 'id', claimIds)
  return new Map(rows.flatMap((row) => (row ? [[row.id, [row.issuer, row.beneficiary]]] : [])))
}
