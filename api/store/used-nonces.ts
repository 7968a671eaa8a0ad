import { CodedError } from '../errors.ts'
import type { Store } from './database.ts'

/**
 * Records that a nonce was used, in the statement that refuses a second use: of any number of concurrent callers, on
 * any number of replicas, one succeeds.
 *
 * @param expiresAt Unix seconds
 * @throws `NONCE_USED`
 */
export async function spendNonce(store: Store, nonce: string, expiresAt: number): Promise<void> {
  const spent = await store
    .insertInto('usedNonce')
    .values({ nonce, expiresAt: new Date(expiresAt * 1000) })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst()
  if (spent) return
  throw new CodedError(
    'NONCE_USED',
    'A nonce is valid for one sign-in. Get a new one and have the wallet sign again.',
  )
}

/** Takes back `spendNonce`. Only for its caller, and only where no token was issued for the nonce. */
export async function releaseNonce(store: Store, nonce: string): Promise<void> {
  await store.deleteFrom('usedNonce').where('nonce', '=', nonce).execute()
}
