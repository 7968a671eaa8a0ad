/** Rows by key. */
import { type Kysely, sql } from 'kysely'
import { isValue } from './cursor.ts'
import type { Sql } from './json.ts'
import type { ListedSource } from './page.ts'
import { idSeparator, type Scope } from './scope.ts'
import {
  type Column,
  kindOf,
  type ProjectionTables,
  type Row,
  ref,
  type Source,
  type Table,
  view,
} from './source.ts'

/**
 * Reads the row of each key, in the order of the keys; undefined where there is none. `column` is unique in the table.
 */
export async function readByKeys<T extends Table>(
  { db }: { readonly db: Kysely<ProjectionTables> },
  source: Source<T>,
  column: Column<T>,
  keys: readonly string[],
): Promise<(Row<T> | undefined)[]> {
  const { rows } = await sql<Row<T>>`
    select * from ${view(source.table)} where ${ref(column)} = any(${[...keys]}::text[])`.execute(db)
  const byKey = new Map(rows.map((row) => [String(row[column]), row]))
  return keys.map((key) => byKey.get(key))
}

/**
 * Parses the key in the part of a global id after the name of its type; undefined for a text that is no key of such a
 * row.
 */
export function parseId(source: ListedSource, id: string): readonly string[] | undefined {
  const values = source.key.length === 1 ? [id] : id.split(idSeparator)
  const fits = source.key.every((column, i) => isValue(kindOf(source, column), values[i]))
  return fits && values.length === source.key.length ? values : undefined
}

/**
 * The rows with one value of a column, in the order of another. Only for lists that the protocol or a limit bounds,
 * such as the slices of a claim.
 */
export type ShortList<T extends Table> = {
  readonly source: Source<T>
  readonly column: Column<T>
  readonly orderBy: Column<T>
  /** The most rows. Default: all. */
  readonly limit?: number
  /** A condition on the rows. Default: none. */
  readonly where?: (row: Scope) => Sql
}
