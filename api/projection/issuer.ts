/** Issuers: who may attest claims. */
import { readByKeys } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type IssuerRow = Row<'issuer'>

export const issuers = {
  table: 'issuer',
  key: ['address'],
  columns: {
    address: 'hex',
    active: 'boolean',
    claimCount: 'count',
    addedAt: 'integer',
    changedAt: 'integer',
  },
  orders: { address: ['address'], addedAt: ['addedAt', 'address'], claimCount: ['claimCount', 'address'] },
  parents: [],
} as const satisfies Source<'issuer'>

/** The issuers in the order of their addresses; undefined where there is none. */
export function readIssuers(
  snapshot: Snapshot,
  addresses: readonly string[],
): Promise<(IssuerRow | undefined)[]> {
  return readByKeys(snapshot, issuers, 'address', addresses)
}
