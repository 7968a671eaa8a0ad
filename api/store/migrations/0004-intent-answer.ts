import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Two intents can come to one execution; the answer belongs to the intent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table gateway.route_intent
      add column answer text,
      add column answer_deadline timestamptz,
      add check ((answer is null) = (answer_deadline is null))`.execute(db)
  await sql`
    update gateway.route_intent
      set answer = prepared.answer, answer_deadline = prepared.deadline
      from gateway.prepared_execution as prepared
      where prepared.route_id = route_intent.route_id`.execute(db)
  await sql`
    alter table gateway.prepared_execution
      drop column answer,
      drop constraint prepared_execution_route_id_key`.execute(db)
}
