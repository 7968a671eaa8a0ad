/** Tokens: in which claims may be registered and vaults be created. */
import type { Row, Source } from '../sql/source.ts'

export type TokenRow = Row<'token'>

export const tokens = {
  table: 'token',
  key: ['address'],
  columns: {
    address: 'hex',
    symbol: 'text',
    name: 'text',
    decimals: 'count',
    listed: 'boolean',
    addedAt: 'integer',
    changedAt: 'integer',
  },
  orders: { address: ['address'], addedAt: ['addedAt', 'address'] },
  parents: [],
  isSmall: true,
} as const satisfies Source<'token'>
