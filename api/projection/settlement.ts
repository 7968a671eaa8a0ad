/** Settlements: who paid a matured claim, and to whom. */
import { readByKeys } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type SettlementRow = Row<'settlement'>

export const settlements = {
  table: 'settlement',
  key: ['claimId'],
  columns: {
    claimId: 'hex',
    payer: 'hex',
    beneficiary: 'hex',
    token: 'hex',
    issuer: 'hex',
    claimType: 'count',
    faceValue: 'integer',
    vaultsAmount: 'integer',
    beneficiaryAmount: 'integer',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { at: ['at', 'claimId'], faceValue: ['faceValue', 'claimId'] },
  parents: ['payer', 'beneficiary'],
} as const satisfies Source<'settlement'>

/** The settlement of each claim; undefined where it is not settled. */
export function readSettlementsOfClaims(
  snapshot: Snapshot,
  claimIds: readonly string[],
): Promise<(SettlementRow | undefined)[]> {
  return readByKeys(snapshot, settlements, 'claimId', claimIds)
}
