/**
 * Reads that are one statement: Postgres makes the answer. One statement is one snapshot, so it needs no transaction
 * around it, and names its finalized block itself.
 */
import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { QueryConfig } from 'pg'
import { type Json, type Sql, toText } from '../sql/json.ts'
import { fromState, type ProjectionState, requireReady, type Snapshot } from './snapshot.ts'

/** A statement that reads a value of JSON and the state of the projection. */
export type Reading = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Name of a statement that is prepared. Equal statements have equal names. */
  readonly name?: string
  /** Whether it adds up rows, which takes longer than other short reads. */
  readonly addsUpRows?: boolean
}

/** The text of the value, and the state it was read from. */
export type Readout = ProjectionState & { readonly text: string }

/** Characters of the longest statement that is prepared. */
const STATEMENT_TEXT_MAX = 8 * 1024

/** The one row of a statement, by the names of the database. */
export type Row = { is_ready: boolean; checkpoint: string | null; publication: string | null; data: string }

/** @throws as `readSnapshot` */
export function toReadout(row: Row | undefined): Readout {
  return { text: row?.data ?? 'null', ...requireReady(row && { ...row, isReady: row.is_ready }) }
}

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

/**
 * @param json a value of JSON, which may use the row `state`
 * @param hasOnePlan whether one plan is good for all parameters, as for a key. The statement is prepared then. A filter
 * is planned with its values each time: the best plan for a common value can read the whole table for a rare one.
 * @param addsUpRows as of `Reading`
 */
export function toReading(json: Json, hasOnePlan: boolean, addsUpRows = false): Reading {
  const { text, values } = toStatement(sql`
    select state.is_ready, state.checkpoint, state.publication, ${toText(json)} as data ${fromState()}`)
  const isPrepared = hasOnePlan && text.length <= STATEMENT_TEXT_MAX
  return { text, values, addsUpRows, ...(isPrepared && { name: nameOf(text) }) }
}

/** Writes a statement whose names are those of the database. */
export function toStatement(statement: Sql): Pick<Reading, 'text' | 'values'> {
  const compiled: CompiledQuery = statement.compile(writer)
  return { text: compiled.sql, values: compiled.parameters }
}

/** Reads a value in a snapshot that is open. */
export async function readInSnapshot({ db }: Snapshot, { text, values }: Reading): Promise<Readout> {
  const { rows } = await db.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return toReadout(rows[0])
}

/**
 * With the id at the start where the text is not prepared, because Postgres shows only the first kilobyte of a running
 * statement. An id has letters, digits, `_`, `-` and `=`.
 */
export function toQuery({ name, text, values }: Reading, requestId = ''): QueryConfig {
  if (name === undefined) return { text: `/* request ${requestId} */ ${text}`, values: [...values] }
  return { name, text, values: [...values] }
}

function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}
