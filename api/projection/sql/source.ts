/**
 * The tables of the projection, and requests on one of them: the columns of its filters and the orders that an index
 * serves.
 */
import { type RawBuilder, sql } from 'kysely'
import type * as schema from '../../../ponder.schema.ts'

/** Schema of the indexer's stable views. */
export const PROJECTION_SCHEMA = 'projection'

type RowOf<Table extends { $inferSelect: unknown }> = Table['$inferSelect']

/** Rows of the views, typed by `ponder.schema.ts` alone: nothing of the indexer runs here. */
export type ProjectionTables = {
  router: RowOf<typeof schema.router>
  issuer: RowOf<typeof schema.issuer>
  token: RowOf<typeof schema.token>
  claim: RowOf<typeof schema.claim>
  allocation: RowOf<typeof schema.allocation>
  vault: RowOf<typeof schema.vault>
  vaultVersion: RowOf<typeof schema.vaultVersion>
  vaultTerms: RowOf<typeof schema.vaultTerms>
  pendingTerms: RowOf<typeof schema.pendingTerms>
  statusVersion: RowOf<typeof schema.statusVersion>
  vaultPosition: RowOf<typeof schema.vaultPosition>
  positionChange: RowOf<typeof schema.positionChange>
  positionDay: RowOf<typeof schema.positionDay>
  capitalChange: RowOf<typeof schema.capitalChange>
  credit: RowOf<typeof schema.credit>
  execution: RowOf<typeof schema.execution>
  executionLeg: RowOf<typeof schema.executionLeg>
  routeCancellation: RowOf<typeof schema.routeCancellation>
  settlement: RowOf<typeof schema.settlement>
  activity: RowOf<typeof schema.activity>
  claimTotal: RowOf<typeof schema.claimTotal>
  paymentRecord: RowOf<typeof schema.paymentRecord>
  tokenDay: RowOf<typeof schema.tokenDay>
  issuerDay: RowOf<typeof schema.issuerDay>
  vaultDay: RowOf<typeof schema.vaultDay>
  dueDay: RowOf<typeof schema.dueDay>
  valueDay: RowOf<typeof schema.valueDay>
}

export type Table = keyof ProjectionTables
export type Row<T extends Table> = ProjectionTables[T]
export type Column<T extends Table> = keyof Row<T> & string

/**
 * How a column is compared and how its values look in a cursor. `integer` is exact at any size, `count` fits an int4,
 * `ordinal` an int8.
 */
export type ColumnKind = 'integer' | 'count' | 'ordinal' | 'hex' | 'text' | 'boolean'

/**
 * `orders` names the sequences a list can be read in. Each is the columns of an index and ends with the ordinal or with
 * the rest of the `key`, so that every order is total and a page far down costs what the first costs. `parents` are the
 * columns whose equal rows are lists of their own (the claims of a beneficiary), each in every order and by an index
 * too; so are those of `pairs`. `splits` are columns of a handful of values, and the orders in which an index has the
 * rows of each value. `unindexed` are the columns of filters that no index begins with. A table `isSmall` whose lists
 * have hundreds of rows, each made by an operator or a curator: any filter may read all of them.
 */
export type Source<T extends Table> = {
  readonly table: T
  /** The primary key. */
  readonly key: readonly Column<T>[]
  readonly columns: { readonly [C in Column<T>]?: ColumnKind }
  readonly orders: { readonly [name: string]: readonly Column<T>[] }
  readonly parents: readonly Column<T>[]
  readonly pairs?: readonly (readonly [Column<T>, Column<T>])[]
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
  ordinal: 'int8',
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
  return sql.table(`${PROJECTION_SCHEMA}.${sqlName(table)}`)
}

/**
 * Names a column of ours, with or without its relation. Its name is that of the database already, so that no plugin has
 * to rewrite it.
 */
export function ref(column: string): RawBuilder<unknown> {
  return sql.raw(`"${sqlName(column).replace('.', '"."')}"`)
}

/** Returns the name of a column in the database, as the plugin writes it. */
export function sqlName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
