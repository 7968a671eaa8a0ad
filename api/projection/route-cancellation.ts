/** Cancellations of routes: the nonces of the router that their users used up. */
import type { Address } from 'viem'
import { readByIds } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Source } from './source.ts'

export const routeCancellations = {
  table: 'routeCancellation',
  key: ['user', 'nonce'],
  columns: { user: 'hex', nonce: 'integer', block: 'integer', at: 'integer', tx: 'hex' },
  orders: { user: ['user', 'nonce'], at: ['at', 'user', 'nonce'] },
  parents: [],
} as const satisfies Source<'routeCancellation'>

/** Whether a cancellation used a user's nonce. */
export async function isNonceCancelled(
  snapshot: Snapshot,
  { user, nonce }: { user: Address; nonce: bigint },
): Promise<boolean> {
  const [row] = await readByIds(snapshot, routeCancellations, [`${user}-${nonce}`])
  return row !== undefined
}
