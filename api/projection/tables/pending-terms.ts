/** Terms of vaults that are submitted and not in effect. */
import type { Source } from '../sql/source.ts'

/** They are read by the vault alone. */
export const pendingTerms = {
  table: 'pendingTerms',
  key: ['vault'],
  columns: { vault: 'hex' },
  orders: {},
  parents: [],
  isSmall: true,
} as const satisfies Source<'pendingTerms'>
