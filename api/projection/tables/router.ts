/** The financing router, of which the protocol has one. */
import type { Source } from '../sql/source.ts'

export const routers = {
  table: 'router',
  key: ['id'],
  columns: { id: 'hex' },
  orders: { id: ['id'] },
  parents: [],
} as const satisfies Source<'router'>
