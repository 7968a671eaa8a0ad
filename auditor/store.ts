/** The differences and the progress of the auditor, in a schema of its own that the gateway reads. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { type Difference, ROW } from './comparison.ts'

export const AUDIT_SCHEMA = 'audit'

type AuditTables = {
  /** `block`: the one at which it was last found. */
  difference: Difference & { firstSeen: Date }
  /** One row. */
  progress: { one: boolean; block: bigint; blockTimestamp: bigint; at: Date }
}

export type AuditStore = Kysely<AuditTables>

/** Maximum number of stored differences. Further ones require the same action, and all of them are logged. */
const DIFFERENCES_MAX = 1000

/** Opens the store, and creates its tables if they are missing. */
export async function openStore(pool: pg.Pool): Promise<AuditStore> {
  const store = new Kysely<AuditTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(AUDIT_SCHEMA)
  await sql`
    create table if not exists audit.difference (
      entity text not null, key text not null, field text not null,
      projected text, on_chain text, kind text not null, block numeric not null, first_seen timestamptz not null,
      primary key (entity, key, field)
    )`.execute(store)
  await sql`
    create table if not exists audit.progress (
      one boolean primary key check (one), block numeric not null, block_timestamp numeric not null, at timestamptz not null
    )`.execute(store)
  return store
}

export function readDifferences(store: AuditStore) {
  return store
    .selectFrom('difference')
    .selectAll()
    .orderBy('entity')
    .orderBy('key')
    .orderBy('field')
    .execute()
}

export function readProgress(store: AuditStore) {
  return store.selectFrom('progress').select(['block', 'blockTimestamp', 'at']).executeTakeFirst()
}

/** The result of one round. */
export type Outcome = {
  found: readonly Difference[]
  /** Whether a difference that was found before, but not in this round, is gone. */
  isGone: (before: Difference) => boolean
}

/** Stores an outcome. @returns the differences that are new, and those that are gone */
export function saveOutcome(store: AuditStore, { found, isGone }: Outcome, now: Date) {
  return store.transaction().execute(async (transaction) => {
    const before = await readDifferences(transaction)
    const current = new Map(found.map((one) => [idOf(one), one]))
    const known = new Set(before.map(idOf))
    const gone = before.filter((one) => !current.has(idOf(one)) && isGone(one))
    for (const { entity, key, field } of gone) {
      await transaction
        .deleteFrom('difference')
        .where('entity', '=', entity)
        .where('key', '=', key)
        .where('field', '=', field)
        .execute()
    }
    const room = DIFFERENCES_MAX - (before.length - gone.length)
    const added = [...current.values()].filter((one) => !known.has(idOf(one)))
    const kept = [
      ...[...current.values()].filter((one) => known.has(idOf(one))),
      ...added.slice(0, Math.max(0, room)),
    ]
    for (const one of kept) await upsert(transaction, one, now)
    return { added, gone }
  })
}

async function upsert(store: AuditStore, { block, projected, onChain, kind, ...id }: Difference, now: Date) {
  const facts = { block, projected, onChain, kind }
  await store
    .insertInto('difference')
    .values({ ...id, ...facts, firstSeen: now })
    .onConflict((conflict) => conflict.columns(['entity', 'key', 'field']).doUpdateSet(facts))
    .execute()
}

export async function saveProgress(
  store: AuditStore,
  { number, timestamp }: { number: bigint; timestamp: bigint },
  now: Date,
): Promise<void> {
  const values = { block: number, blockTimestamp: timestamp, at: now }
  await store
    .insertInto('progress')
    .values({ one: true, ...values })
    .onConflict((conflict) => conflict.column('one').doUpdateSet(values))
    .execute()
}

export function idOf({ entity, key, field }: Pick<Difference, 'entity' | 'key' | 'field'>): string {
  return [entity, key, field].join('\n')
}

/** Whether a difference is a row that the projection lacks. */
export function isMissingRow({ field, projected }: Pick<Difference, 'field' | 'projected'>): boolean {
  return field === ROW && projected === null
}
