import { type Kysely, sql } from 'kysely'

/** Unlogged: a crash of Postgres may forget a window of a minute, and counting stays cheap. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table gateway.wallet_rate_limit (
      key text primary key,
      hits integer not null,
      resets_at timestamptz not null
    )`.execute(db)
  await sql`create index wallet_rate_limit_resets_at on gateway.wallet_rate_limit (resets_at)`.execute(db)
}
