/** Positions: the shares of a vault that a wallet holds. */
import { type ListRequest, type Page, readPage } from './page.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type PositionRow = Row<'vaultPosition'>

export const positions = {
  table: 'vaultPosition',
  key: ['vault', 'owner'],
  columns: { vault: 'hex', owner: 'hex', shares: 'integer' },
  orders: { vault: ['vault', 'owner'], owner: ['owner', 'vault'], shares: ['shares', 'vault', 'owner'] },
  parents: ['vault', 'owner'],
} as const satisfies Source<'vaultPosition'>

export function listPositions(
  snapshot: Snapshot,
  request: ListRequest<typeof positions>,
): Promise<Page<PositionRow>> {
  return readPage(snapshot, positions, request)
}
