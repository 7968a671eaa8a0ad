/** Positions: the shares of a vault that a wallet holds. */
import type { Source } from '../sql/source.ts'

export const positions = {
  table: 'vaultPosition',
  key: ['vault', 'owner'],
  columns: { vault: 'hex', owner: 'hex', shares: 'integer' },
  orders: { vault: ['vault', 'owner'], owner: ['owner', 'vault'], shares: ['shares', 'vault', 'owner'] },
  parents: ['vault', 'owner'],
} as const satisfies Source<'vaultPosition'>
