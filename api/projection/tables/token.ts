/** Tokens: in which claims may be registered and vaults be created. */

import type { Snapshot } from '../session/snapshot.ts'
import { readByKeys } from '../sql/keys.ts'
import type { Row, Source } from '../sql/source.ts'

export type TokenRow = Row<'token'>

export const tokens = {
  table: 'token',
  key: ['address'],
  columns: {
    address: 'hex',
    symbol: 'text',
    name: 'text',
    decimals: 'count',
    listed: 'boolean',
    addedAt: 'integer',
    changedAt: 'integer',
  },
  orders: { address: ['address'], addedAt: ['addedAt', 'address'] },
  parents: [],
  isSmall: true,
} as const satisfies Source<'token'>

/** Reads the token of each row, by its address. */
export async function readTokensOf(
  snapshot: Snapshot,
  rows: readonly { readonly token: string }[],
): Promise<ReadonlyMap<string, TokenRow>> {
  const addresses = [...new Set(rows.map(({ token }) => token))]
  if (addresses.length === 0) return new Map()
  const found = await readByKeys(snapshot, tokens, 'address', addresses)
  return new Map(found.flatMap((row) => (row ? [[row.address, row]] : [])))
}
