/** Activity: what happened to a wallet, one row per event and role. */
import { type ListRequest, type Page, readPage } from './page.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type ActivityRow = Row<'activity'>

export const activities = {
  table: 'activity',
  columns: {
    id: 'text',
    wallet: 'hex',
    kind: 'text',
    token: 'hex',
    amount: 'integer',
    claimId: 'hex',
    executionId: 'hex',
    vault: 'hex',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { id: ['id'] },
} as const satisfies Source<'activity'>

/** In the order of the chain, which `id` is. */
export function listActivity(
  snapshot: Snapshot,
  request: ListRequest<typeof activities>,
): Promise<Page<ActivityRow>> {
  return readPage(snapshot, activities, request)
}
