/** Rows by key, many at once: what a dataloader asks. */
import { sql } from 'kysely'
import type { Snapshot } from './snapshot.ts'
import { type Column, type Row, type Source, type Table, view } from './source.ts'

/** The row of each key, in the order of the keys; undefined where there is none. `column` is unique in the table. */
export async function readByKeys<T extends Table>(
  { db }: Snapshot,
  source: Source<T>,
  column: Column<T>,
  keys: readonly string[],
): Promise<(Row<T> | undefined)[]> {
  const { rows } = await sql<Row<T>>`
    select * from ${view(source.table)} where ${sql.ref(column)} = any(${[...keys]}::text[])`.execute(db)
  const byKey = new Map(rows.map((row) => [String(row[column]), row]))
  return keys.map((key) => byKey.get(key))
}

/**
 * All rows of each key, in the order of the keys and, within one, of `orderBy`. Only for what the protocol bounds: the
 * slices of a claim, the legs of an execution.
 */
export async function readGroups<T extends Table>(
  { db }: Snapshot,
  source: Source<T>,
  column: Column<T>,
  keys: readonly string[],
  orderBy: Column<T>,
): Promise<(readonly Row<T>[])[]> {
  const { rows } = await sql<Row<T>>`
    select * from ${view(source.table)} where ${sql.ref(column)} = any(${[...keys]}::text[])
    order by ${sql.ref(orderBy)}`.execute(db)
  const byKey = groupBy(rows, column)
  return keys.map((key) => byKey.get(key) ?? [])
}

/** The rows by the text of one column, in the order they came. */
export function groupBy<R extends object>(rows: readonly R[], column: keyof R): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const key = String(row[column])
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
