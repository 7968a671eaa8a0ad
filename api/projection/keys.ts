/** Reads rows by key, many at once, for data loaders. */
import { sql } from 'kysely'
import { isValue } from './cursor.ts'
import type { Snapshot } from './snapshot.ts'
import { type Column, kindOf, type Row, ref, type Source, sqlTypes, type Table, view } from './source.ts'

/** The row of each key, in the order of the keys; undefined where there is none. `column` is unique in the table. */
export async function readByKeys<T extends Table>(
  { db }: Snapshot,
  source: Source<T>,
  column: Column<T>,
  keys: readonly string[],
): Promise<(Row<T> | undefined)[]> {
  const { rows } = await sql<Row<T>>`
    select * from ${view(source.table)} where ${ref(column)} = any(${[...keys]}::text[])`.execute(db)
  const byKey = new Map(rows.map((row) => [String(row[column]), row]))
  return keys.map((key) => byKey.get(key))
}

/** The row's key as one text; `readByIds` finds the row again. */
export function idOf<T extends Table>(source: Source<T>, row: Row<T>): string {
  return source.key.map((column) => String(row[column])).join(idSeparator)
}

/** The row of each id, in the order of the ids; undefined where there is none, or where the text is no id of such a row. */
export async function readByIds<T extends Table>(
  { db }: Snapshot,
  source: Source<T>,
  ids: readonly string[],
): Promise<(Row<T> | undefined)[]> {
  const keys = ids.map((id) => parseId(source, id)).filter((key) => key !== undefined)
  const columns = source.key.map((column, i) => {
    const type = sql.raw(sqlTypes[kindOf(source, column)])
    return sql`${keys.map((key) => key[i])}::${type}[]`
  })
  const key = sql.join(source.key.map((column) => ref(column)))
  const { rows } = await sql<Row<T>>`
    select item.* from unnest(${sql.join(columns)}) as wanted (${key})
    join ${view(source.table)} as item using (${key})`.execute(db)
  const byId = new Map(rows.map((row) => [idOf(source, row), row]))
  return ids.map((id) => byId.get(id))
}

/** Separates the values of a key of several columns; none can contain it. */
export const idSeparator = '-'

function parseId<T extends Table>(source: Source<T>, id: string): readonly string[] | undefined {
  const values = source.key.length === 1 ? [id] : id.split(idSeparator)
  const fits = source.key.every((column, i) => isValue(kindOf(source, column), values[i]))
  return fits && values.length === source.key.length ? values : undefined
}

/**
 * The rows with one value of a column, in the order of another. Only for what the protocol bounds: the slices of a claim, the legs of an
 * execution.
 */
export type ShortList<T extends Table> = {
  readonly source: Source<T>
  readonly column: Column<T>
  readonly orderBy: Column<T>
}

/** All rows of each key, in the order of the keys and, within one, of the list. */
export async function readShortLists<T extends Table>(
  { db }: Snapshot,
  { source, column, orderBy }: ShortList<T>,
  keys: readonly string[],
): Promise<(readonly Row<T>[])[]> {
  const { rows } = await sql<Row<T>>`
    select * from ${view(source.table)} where ${ref(column)} = any(${[...keys]}::text[])
    order by ${ref(orderBy)}`.execute(db)
  const byKey = groupBy(rows, column)
  return keys.map((key) => byKey.get(key) ?? [])
}

/** The rows by the text of one column, in their order. */
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
