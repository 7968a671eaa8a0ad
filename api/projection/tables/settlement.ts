/** Settlements: who paid a matured claim, and to whom. */
import type { Source } from '../sql/source.ts'

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
  unindexed: ['token', 'issuer', 'claimType'],
  rollups: [
    {
      table: 'issuerDay',
      columns: { token: 'token', issuer: 'issuer' },
      time: 'at',
      count: 'settlements',
      amounts: { faceValue: 'faceSettled', vaultsAmount: 'vaultsAmount' },
    },
  ],
} as const satisfies Source<'settlement'>
