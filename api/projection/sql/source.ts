/** Requests on one table: the columns of its filters and the orders that an index serves. */
import { type RawBuilder, sql } from 'kysely'
import { PROJECTION_SCHEMA, type ProjectionTables, sqlName } from '../session/database.ts'

export type Table = keyof ProjectionTables
export type Row<T extends Table> = ProjectionTables[T]
export type Column<T extends Table> = keyof Row<T> & string

/**
 * How a column is compared and how its values look in a cursor. `integer` is exact at any size, `count` fits an int4.
 */
export type ColumnKind = 'integer' | 'count' | 'hex' | 'text' | 'boolean'

/**
 * `orders` names the sequences a list can be read in. Each is the columns of an index and ends with the rest of the
 * `key`, so that every order is total and a page far down costs what the first costs. `parents` are the columns whose
 * equal rows are lists of their own (the claims of a beneficiary), each in every order and by an index too. `splits`
 * are columns of a handful of values, and the orders in which an index has the rows of each value. `unindexed` are the
 * columns of filters that no index begins with. A table `isSmall` whose lists have hundreds of rows, each made by an
 * operator or a curator: any filter may read all of them.
 */
export type Source<T extends Table> = {
  readonly table: T
  /** The primary key. */
  readonly key: readonly Column<T>[]
  readonly columns: { readonly [C in Column<T>]?: ColumnKind }
  readonly orders: { readonly [name: string]: readonly Column<T>[] }
  readonly parents: readonly Column<T>[]
  readonly splits?: { readonly [C in Column<T>]?: readonly string[] }
  readonly unindexed?: readonly Column<T>[]
  readonly isSmall?: true
  /** Tables with sums over the rows. The first that covers a request is read instead of them. */
  readonly rollups?: readonly Rollup[]
}

/**
 * A table of the indexer with the sums that aggregates read most, one row for many rows of another table. Its columns
 * are named by those of that table.
 */
export type Rollup = {
  readonly table: Table
  /** Columns that identify its rows. */
  readonly columns: { readonly [column: string]: string }
  /** The time whose UTC day its column `day` is. */
  readonly time?: string
  readonly count: string
  readonly amounts: { readonly [amount: string]: string }
}

export type OrderName<S extends { orders: object }> = keyof S['orders'] & string
export type ParentColumn<S extends { parents: readonly string[] }> = S['parents'][number]
export type FilterColumn<S extends { columns: object }> = keyof S['columns'] & string

/** Postgres types of the kinds of columns. */
export const sqlTypes = {
  integer: 'numeric',
  count: 'int4',
  hex: 'text',
  text: 'text',
  boolean: 'bool',
} as const satisfies Record<ColumnKind, string>

/** The kinds of some columns. */
export type Kinds = { readonly columns: { readonly [column: string]: ColumnKind | undefined } }

export function kindOf({ columns }: Kinds, column: string): ColumnKind {
  const kind = columns[column]
  if (!kind) throw new Error(`Unknown column type: ${column}`)
  return kind
}

/** Names the stable view of a table. */
export function view(table: Table): RawBuilder<unknown> {
  return sql.raw(`"${PROJECTION_SCHEMA}"."${sqlName(table)}"`)
}

/**
 * Names a column of ours, with or without its relation. Its name is that of the database already, so that no plugin has
 * to rewrite it.
 */
export function ref(column: string): RawBuilder<unknown> {
  return sql.raw(`"${sqlName(column).replace('.', '"."')}"`)
}
