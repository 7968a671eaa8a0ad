/** Settlements: who paid a claim, how much of it, and to whom. */
import type { Source } from '../sql/source.ts'

export const settlements = {
  table: 'settlement',
  key: ['id'],
  columns: {
    id: 'ordinal',
    claimId: 'hex',
    payer: 'hex',
    beneficiary: 'hex',
    token: 'hex',
    issuer: 'hex',
    claimType: 'count',
    faceAmount: 'integer',
    vaultsAmount: 'integer',
    beneficiaryAmount: 'integer',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { at: ['at', 'id'], faceAmount: ['faceAmount', 'id'] },
  parents: ['claimId', 'payer', 'beneficiary'],
  unindexed: ['token', 'issuer', 'claimType'],
  rollups: [
    {
      table: 'issuerDay',
      columns: { token: 'token', issuer: 'issuer' },
      time: 'at',
      count: 'settlements',
      amounts: { faceAmount: 'faceSettled', vaultsAmount: 'vaultsAmount' },
    },
  ],
} as const satisfies Source<'settlement'>
