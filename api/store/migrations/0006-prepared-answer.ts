import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * Answers move to a table of their own, where they outlive the intent that they answer. An intent that was pruned and
 * planned again is another row under the same content hash, so each row has an id of its own, by which what prepares it
 * addresses it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table gateway.route_intent
      add column intent_id uuid not null unique default gen_random_uuid(),
      add column is_answered boolean not null default false`.execute(db)
  await sql`create index route_intent_user_address on gateway.route_intent (user_address)`.execute(db)
  await sql`
    create table gateway.prepared_answer (
      route_id text not null,
      user_address text not null,
      idempotency_key text not null,
      intent_id uuid not null,
      answer text not null,
      deadline timestamptz not null,
      primary key (route_id, user_address, idempotency_key)
    )`.execute(db)
  await sql`create index prepared_answer_deadline on gateway.prepared_answer (deadline)`.execute(db)
  await sql`
    insert into gateway.prepared_answer
      select route_id, user_address, idempotency_key, intent_id, answer, answer_deadline
      from gateway.route_intent where answer is not null and idempotency_key is not null`.execute(db)
  await sql`update gateway.route_intent set is_answered = true where answer is not null and status = 'CONSUMED'`.execute(
    db,
  )
  await sql`
    alter table gateway.route_intent
      drop column answer,
      drop column answer_deadline,
      add check (not is_answered or status = 'CONSUMED')`.execute(db)
}
