import type { Store } from './database.ts'

/** By its `jti`; `expiresAt` in Unix seconds. */
type RevocableToken = { id: string; expiresAt: number }

/** Ends a session at every replica. Repeating it changes nothing. */
export async function revokeToken(store: Store, { id, expiresAt }: RevocableToken): Promise<void> {
  await store
    .insertInto('revokedToken')
    .values({ id, expiresAt: new Date(expiresAt * 1000) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Whether the session was ended before its token expires. Read for every request with a good token and never cached: a
 * cache would keep the session open at the other replicas.
 */
export async function isRevoked(store: Store, { id }: Pick<RevocableToken, 'id'>): Promise<boolean> {
  const row = await store.selectFrom('revokedToken').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
