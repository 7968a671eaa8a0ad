import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .withSchema('gateway')
    .createTable('used_nonce')
    .addColumn('nonce', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema
    .withSchema('gateway')
    .createIndex('used_nonce_expires_at')
    .on('used_nonce')
    .column('expires_at')
    .execute()
}
