/** Activity: what happened to a wallet, one row per event and role. */
import { readSubjectsOfExecutions } from './execution.ts'
import type { ShortList } from './keys.ts'
import { type ListRequest, type Page, readPage } from './page.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type ActivityRow = Row<'activity'>

export const activities = {
  table: 'activity',
  key: ['id'],
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
  orders: { id: ['id'], amount: ['amount', 'id'] },
  parents: ['wallet', 'vault'],
} as const satisfies Source<'activity'>

/** In the order of the chain, which `id` is. An execution is about the claim and the vault that all of its legs share. */
export async function listActivity(
  snapshot: Snapshot,
  request: ListRequest<typeof activities>,
): Promise<Page<ActivityRow>> {
  const page = await readPage(snapshot, activities, request)
  const ids = page.items.flatMap(({ executionId }) => executionId ?? [])
  const subjects = await readSubjectsOfExecutions(snapshot, ids)
  const byId = new Map(ids.map((id, index) => [id, subjects[index]]))
  return {
    ...page,
    items: page.items.map((row) => ({ ...row, ...(row.executionId && byId.get(row.executionId)) })),
  }
}

/** The events of a claim, for all wallets: a few entries. */
export const activityOfClaim: ShortList<'activity'> = {
  source: activities,
  column: 'claimId',
  orderBy: 'id',
}

/** The event of an execution: one entry. */
export const activityOfExecution: ShortList<'activity'> = {
  source: activities,
  column: 'executionId',
  orderBy: 'id',
}
