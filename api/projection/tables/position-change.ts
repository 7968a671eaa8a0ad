/** History of positions: every deposit, withdrawal and transfer of shares, with the position right after it. */
import type { Source } from '../sql/source.ts'

export const positionChanges = {
  table: 'positionChange',
  key: ['id'],
  columns: {
    id: 'ordinal',
    vault: 'hex',
    owner: 'hex',
    kind: 'text',
    assets: 'integer',
    at: 'integer',
  },
  orders: { id: ['id'], assets: ['assets', 'id'] },
  parents: ['vault', 'owner'],
  pairs: [['vault', 'owner']],
  unindexed: ['kind'],
} as const satisfies Source<'positionChange'>
