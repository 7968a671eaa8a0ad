import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway.route_intent (
      route_id text primary key,
      user_address text not null,
      status text not null check (status in ('PENDING', 'CONSUMED', 'FAILED')),
      block_number numeric(20) not null,
      request json not null,
      legs json not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      user_deadline timestamptz not null,
      consumed_at timestamptz,
      idempotency_key text,
      failure_code text,
      check ((status = 'PENDING') = (consumed_at is null)),
      check ((status = 'FAILED') = (failure_code is not null))
    )`.execute(db)
  await sql`create index route_intent_expires_at on gateway.route_intent (expires_at)`.execute(db)
  // A direct financing has a row too, without an intent. `answer` is the text that was sent, byte for byte.
  await sql`
    create table gateway.prepared_execution (
      execution_id text primary key,
      route_id text unique,
      user_address text not null,
      prepared_at timestamptz not null,
      deadline timestamptz not null,
      answer text not null
    )`.execute(db)
  await sql`create index prepared_execution_deadline on gateway.prepared_execution (deadline)`.execute(db)
}
