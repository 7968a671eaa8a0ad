import { type Kysely, sql } from 'kysely'

/** Logged, unlike counts: a crash of Postgres must not revive a session that its wallet ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway.revoked_token (
      id text primary key,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index revoked_token_expires_at on gateway.revoked_token (expires_at)`.execute(db)
}
