/** Rows that the projection does not have, read as if it had them. */
import { sql } from 'kysely'
import type { Sql } from './json.ts'
import type { ListedSource } from './page.ts'
import { type ColumnKind, ref, sqlName, sqlTypes, view } from './source.ts'

/**
 * Writes a relation of the rows of a source and of other rows; those of the source take precedence. Undefined without
 * other rows.
 *
 * @param rows by the columns of the source, and columns of their own; what a row lacks is null
 */
export function withElsewhere(source: ListedSource, rows: readonly object[] | undefined): Sql | undefined {
  if (!rows) return undefined
  const kinds: { [column: string]: ColumnKind | undefined } = { ...source.columns }
  const own = new Set(rows.flatMap((row) => Object.keys(row)).filter((column) => !(column in kinds)))
  const types = [
    ...Object.entries(kinds).map(([column, kind = 'text']): [string, string] => [column, sqlTypes[kind]]),
    ...[...own].map((column): [string, string] => [column, typeOf(rows, column)]),
  ]
  const columns = types.map(([column, type]) => sql`${ref(column)} ${sql.raw(type)}`)
  const projected = types.map(([column, type]) =>
    own.has(column) ? sql`null::${sql.raw(type)} as ${ref(column)}` : ref(column),
  )
  const names = sql.join(types.map(([column]) => ref(column)))
  const isSame = source.key.map((column) => sql`own.${ref(column)} = other.${ref(column)}`)
  return sql`(
    select ${sql.join(projected)} from ${view(source.table)}
    union all
    select ${names} from json_to_recordset(${toRecords(rows)}::json) as other (${sql.join(columns)})
    where not exists (select from ${view(source.table)} as own where ${sql.join(isSame, sql` and `)})
  )`
}

function typeOf(rows: readonly object[], column: string): string {
  return rows.some((row) => typeof Reflect.get(row, column) === 'bigint') ? sqlTypes.integer : sqlTypes.text
}

function toRecords(rows: readonly object[]): string {
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [sqlName(column), value])),
  )
  return JSON.stringify(named, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
