/**
 * Migrates the gateway's own schema; the indexer rebuilds the projection, which is never migrated. Replicas that start
 * together migrate one after the other (Kysely holds an advisory lock); applied migrations are skipped.
 */
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import { STORE_SCHEMA } from '../database.ts'
import * as signIn from './0001-sign-in.ts'
import * as walletRateLimit from './0002-wallet-rate-limit.ts'
import * as routeIntent from './0003-route-intent.ts'
import * as intentAnswer from './0004-intent-answer.ts'
import * as revokedToken from './0005-revoked-token.ts'
import * as preparedAnswer from './0006-prepared-answer.ts'
import * as preparedUses from './0007-prepared-uses.ts'
import * as preparedLegs from './0008-prepared-legs.ts'

/** Applied in the order of their names. A migration that was released is never edited: add another. */
const migrations = {
  '0001-sign-in': signIn,
  '0002-wallet-rate-limit': walletRateLimit,
  '0003-route-intent': routeIntent,
  '0004-intent-answer': intentAnswer,
  '0005-revoked-token': revokedToken,
  '0006-prepared-answer': preparedAnswer,
  '0007-prepared-uses': preparedUses,
  '0008-prepared-legs': preparedLegs,
}

/** @throws what the failed migration threw; those before it stay applied, the failed one is rolled back */
export async function migrateStore(pool: pg.Pool): Promise<void> {
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: STORE_SCHEMA,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
