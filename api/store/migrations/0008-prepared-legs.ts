import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** The legs of a prepared route with their least advances. Routes that were prepared before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gateway.prepared_execution add column legs jsonb`.execute(db)
}
