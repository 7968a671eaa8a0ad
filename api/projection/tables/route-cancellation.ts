/** Cancellations of routes: the nonces of the router that their users used up. */
import type { Address } from 'viem'
import type { Snapshot } from '../session/snapshot.ts'

/** Whether a cancellation used a user's nonce. */
export async function isNonceCancelled(
  { db }: Snapshot,
  { user, nonce }: { user: Address; nonce: bigint },
): Promise<boolean> {
  const found = await db
    .selectFrom('routeCancellation')
    .select('nonce')
    .where('user', '=', user)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  return found !== undefined
}
