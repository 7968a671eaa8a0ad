/** What the gateway itself remembers, in a schema of its own beside the projection: shared by all replicas, moved on by `api/migrations`. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

export const STORE_SCHEMA = 'gateway'

export type StoreTables = {
  /** Nonces that a wallet signed in with. A row is needed until its nonce expires of itself. */
  usedNonce: { nonce: string; expiresAt: Date }
  /** Requests of a wallet under one policy in its current window. */
  walletRateLimit: { key: string; hits: number; resetsAt: Date }
}

export type Store = Kysely<StoreTables>

export function createStore(pool: pg.Pool): Store {
  return new Kysely<StoreTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(STORE_SCHEMA)
}
