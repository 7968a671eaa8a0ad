import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * The thing that an execution uses up on chain: the nonce of a route, or the slice of a claim. Executions that were
 * prepared before this migration have neither, and are never found to be superseded.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table gateway.prepared_execution
      add column nonce numeric(78),
      add column claim_id text,
      add column slice_index integer,
      add check ((claim_id is null) = (slice_index is null)),
      add check (nonce is null or claim_id is null)`.execute(db)
}
