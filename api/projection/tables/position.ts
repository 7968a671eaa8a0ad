/** Positions: the shares of a vault that a wallet holds. */
import type { Row, Source } from '../sql/source.ts'

export type PositionRow = Row<'vaultPosition'>

export const positions = {
  table: 'vaultPosition',
  key: ['vault', 'owner'],
  columns: { vault: 'hex', owner: 'hex', shares: 'integer' },
  orders: { vault: ['vault', 'owner'], owner: ['owner', 'vault'], shares: ['shares', 'vault', 'owner'] },
  parents: ['vault', 'owner'],
} as const satisfies Source<'vaultPosition'>
