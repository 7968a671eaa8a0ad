/** Claims, as registered, financed and settled. */
import { readByKeys } from './keys.ts'
import { type ListRequest, type Page, readPage } from './page.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type ClaimRow = Row<'claim'>

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
    dueAt: 'integer',
    claimType: 'count',
    sliceCount: 'count',
    state: 'text',
    documentHash: 'hex',
    registeredBlock: 'integer',
    registeredAt: 'integer',
    changedBlock: 'integer',
    changedAt: 'integer',
  },
  orders: {
    registeredAt: ['registeredAt', 'id'],
    dueAt: ['dueAt', 'id'],
    faceValue: ['faceValue', 'id'],
  },
  parents: ['beneficiary', 'issuer'],
  splits: { state: ['registeredAt', 'dueAt'] },
} as const satisfies Source<'claim'>

/** The claims in the order of their ids; undefined where there is none. */
export function readClaims(
  snapshot: Snapshot,
  claimIds: readonly string[],
): Promise<(ClaimRow | undefined)[]> {
  return readByKeys(snapshot, claims, 'id', claimIds)
}

export function listClaims(snapshot: Snapshot, request: ListRequest<typeof claims>): Promise<Page<ClaimRow>> {
  return readPage(snapshot, claims, request)
}
