import type { Store } from './database.ts'

/** Rows outlive their use by this much, so that clocks of gateways and database may differ. */
const MARGIN_MS = 3_600_000

/** Deletes what no request can ask for any more. @param now milliseconds */
export async function pruneStore(store: Store, now: number): Promise<void> {
  const outdated = new Date(now - MARGIN_MS)
  await store.deleteFrom('usedNonce').where('expiresAt', '<', outdated).execute()
  await store.deleteFrom('revokedToken').where('expiresAt', '<', outdated).execute()
  await store.deleteFrom('walletRateLimit').where('resetsAt', '<', outdated).execute()
}
