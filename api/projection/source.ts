/** What can be asked of one table: the columns a filter may name and the orders that an index serves. */
import { type RawBuilder, sql } from 'kysely'
import { PROJECTION_SCHEMA, type ProjectionTables } from './database.ts'

export type Table = keyof ProjectionTables
export type Row<T extends Table> = ProjectionTables[T]
export type Column<T extends Table> = keyof Row<T> & string

/** How a column is compared and how its values look in a cursor. `integer` is exact at any size, `count` fits an int4. */
export type ColumnKind = 'integer' | 'count' | 'hex' | 'text' | 'boolean'

/**
 * `orders` names the sequences a list can be read in. Each is the columns of an index, the last of them unique among equal
 * ones, so that every order is total and a page far down costs what the first costs.
 */
export type Source<T extends Table> = {
  readonly table: T
  readonly columns: { readonly [C in Column<T>]?: ColumnKind }
  readonly orders: { readonly [name: string]: readonly Column<T>[] }
}

export type OrderName<S extends { orders: object }> = keyof S['orders'] & string
export type FilterColumn<S extends { columns: object }> = keyof S['columns'] & string

/** The stable view of a table. */
export function view(table: Table): RawBuilder<unknown> {
  return sql.id(PROJECTION_SCHEMA, table)
}
