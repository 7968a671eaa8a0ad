/** The financing router, of which the protocol has one. */
import type { Row, Source } from '../sql/source.ts'

export type RouterRow = Row<'router'>

export const routers = {
  table: 'router',
  key: ['id'],
  columns: { id: 'hex' },
  orders: { id: ['id'] },
  parents: [],
} as const satisfies Source<'router'>
