/** Reads rows of any table of the projection: by the values of columns, or page by page in the order of an index. */
import { type RawBuilder, sql } from 'kysely'
import type { ProjectionDb } from '../api/projection/session/database.ts'

/** `within`: the columns that order rows with one value of `column`. Default: the key. */
export type Order<Row> = {
  column: keyof Row & string
  of: 'time' | 'event' | 'address'
  within?: readonly (keyof Row & string)[]
}

/** Rows after a cursor (values of the columns of the order, or of the first of them), at most `limit`. */
export type Page = { after: readonly string[]; limit: number }

/** Rows whose `columns` have one of the tuples of `values`. */
export type Scope = { columns: readonly string[]; values: readonly (readonly string[])[] } | { page: Page }

export type Rows<Row> = {
  db: ProjectionDb
  schema: string
  source: string | ((schema: string) => string)
  key: readonly (keyof Row & string)[]
  order: Order<Row>
}

/** @returns the rows, and the next page if there may be one */
export async function readRows<Row extends object>(
  { db, schema, source, key, order }: Rows<Row>,
  scope: Scope,
): Promise<{ rows: Row[]; next: Page | undefined }> {
  const from = typeof source === 'string' ? sql.id(schema, source) : sql.raw(source(schema))
  if (!('page' in scope)) {
    if (scope.values.length === 0) return { rows: [], next: undefined }
    const { rows } = await sql<Row>`
      select * from ${from} as item where ${tuple(scope.columns)} in (${tuples(scope.values)})`.execute(db)
    return { rows, next: undefined }
  }
  const columns = [...new Set([order.column, ...(order.within ?? key)])]
  const { after, limit } = scope.page
  const start = after.length
    ? sql`where ${tuple(columns.slice(0, after.length))} ${sql.raw(after.length < columns.length ? '>=' : '>')} (${sql.join(after)})`
    : sql``
  const { rows } = await sql<Row>`
    select * from ${from} as item ${start} order by ${tupleItems(columns)} limit ${limit}`.execute(db)
  const last = rows.at(-1)
  const next =
    last && rows.length === limit ? columns.map((column) => String(cellOf(last, column))) : undefined
  return { rows, next: next && { after: next, limit } }
}

function cellOf(row: object, column: string): unknown {
  return Object.entries(row).find(([name]) => name === column)?.[1]
}

function tupleItems(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

function tuple(columns: readonly string[]): RawBuilder<unknown> {
  return sql`(${tupleItems(columns)})`
}

function tuples(values: readonly (readonly string[])[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql`(${sql.join(value)})`))
}
