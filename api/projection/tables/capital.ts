/** Capital history: every movement of a vault's assets, with the figures right after it. */
import type { Source } from '../sql/source.ts'

export const capitalChanges = {
  table: 'capitalChange',
  key: ['id'],
  columns: {
    id: 'ordinal',
    vault: 'hex',
    kind: 'text',
    amount: 'integer',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { id: ['id'], amount: ['amount', 'id'] },
  parents: ['vault'],
  unindexed: ['kind'],
} as const satisfies Source<'capitalChange'>
