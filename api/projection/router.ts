/** The financing router, of which the protocol has one. */
import { readByKeys } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type RouterRow = Row<'router'>

export const routers = {
  table: 'router',
  key: ['id'],
  columns: { id: 'hex' },
  orders: { id: ['id'] },
  parents: [],
} as const satisfies Source<'router'>

/** @throws Error when the indexer follows another router */
export async function readRouter(snapshot: Snapshot, address: string): Promise<RouterRow> {
  const [router] = await readByKeys(snapshot, routers, 'id', [address])
  if (!router) throw new Error(`The projection has no router ${address}`)
  return router
}
