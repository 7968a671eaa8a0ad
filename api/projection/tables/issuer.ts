/** Issuers: who may attest claims. */
import type { Source } from '../sql/source.ts'

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
  isSmall: true,
} as const satisfies Source<'issuer'>
