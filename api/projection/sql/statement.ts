/**
 * Reads that are one statement: Postgres makes the answer. One statement is one snapshot, so it needs no transaction
 * around it, and names its finalized block itself.
 */
import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { type Json, type Sql, toText } from './json.ts'
import { PROJECTION_SCHEMA } from './source.ts'

/** A statement that reads a value of JSON and the state of the projection. */
export type Reading = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Name of a statement that is prepared. Equal statements have equal names. */
  readonly name?: string
  /** Whether the best plan depends on the values of filters, which may leave rows to no index. */
  readonly isFiltered?: boolean
  /** Whether it adds up rows, which takes longer than other short reads. */
  readonly addsUpRows?: boolean
  /** The latest block as of which it reads: the statement fails on a projection that does not have the block yet. */
  readonly leastBlock?: bigint
}

/** Characters of the longest statement that is prepared. */
const STATEMENT_TEXT_MAX = 8 * 1024

/**
 * Writes statements whose names are those of the database. The plugins of the projection's own would copy the whole
 * tree to rewrite names.
 */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Milliseconds since Postgres received the statement, its plan included. Columns are computed in their order. */
const TOOK_MS = sql`(extract(epoch from clock_timestamp() - now()) * 1000)::float8`

/**
 * @param json a value of JSON, which may use the row `state`
 * @param hasOnePlan whether one plan is good for all parameters, as for a key. The statement is prepared then. A filter
 * is planned with its values each time: the best plan for a common value can read the whole table for a rare one.
 * @param addsUpRows as of `Reading`
 */
export function toReading(json: Json, hasOnePlan: boolean, addsUpRows = false): Reading {
  const { text, values } = toStatement(sql`
    select state.is_ready, state.checkpoint, state.publication, ${toText(json)} as data, ${TOOK_MS} as took_ms
    ${fromState()}`)
  const isPrepared = hasOnePlan && text.length <= STATEMENT_TEXT_MAX
  return { text, values, isFiltered: !hasOnePlan, addsUpRows, ...(isPrepared && { name: nameOf(text) }) }
}

/** Writes a statement whose names are those of the database. */
export function toStatement(statement: Sql): Pick<Reading, 'text' | 'values'> {
  const compiled: CompiledQuery = statement.compile(writer)
  return { text: compiled.sql, values: compiled.parameters }
}

function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}

/** The indexer publishes its views in this order of tables, in one transaction. */
const FIRST_PUBLISHED_VIEW = 'router'

/**
 * Writes the relation `state` of one row: readiness, checkpoint and publication, which belong together. The first table
 * of the statement is the first that the indexer replaces when it publishes a newer index. A snapshot that holds a lock
 * of it delays the publication until the snapshot ends; a later snapshot waits here without holding any lock. So no
 * snapshot sees half of a publication, and none deadlocks with it.
 */
export function fromState() {
  const view = (name: string) => sql.id(PROJECTION_SCHEMA, name)
  return sql`
    from (select) as one left join (select from ${view(FIRST_PUBLISHED_VIEW)} limit 0) as gate on true
    cross join (
      select
        exists (select from ${view('_ponder_meta')} where value ->> 'is_ready' = '1') as is_ready,
        (select min(latest_checkpoint) from ${view('_ponder_checkpoint')}) as checkpoint,
        to_regclass(${`${PROJECTION_SCHEMA}.${FIRST_PUBLISHED_VIEW}`})::oid::text as publication
    ) as state`
}
