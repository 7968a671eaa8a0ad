/** Lists, page by page, by keyset: a page starts at a key that an index finds, never at a count of rows to skip. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { decodeCursor } from './cursor.ts'
import { type Filter, toSql } from './filter.ts'
import {
  type ColumnKind,
  type FilterColumn,
  type Kinds,
  kindOf,
  type OrderName,
  type Rollup,
  ref,
  sqlTypes,
  type Table,
  view,
} from './source.ts'

export type Direction = 'asc' | 'desc'

/**
 * Which part of a list: at most `limit` rows between `after` and `before`, the first of them or, with `fromEnd`, the
 * last of them. Either way the rows come in the order of the list.
 */
export type PageRequest = {
  readonly limit: number
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly fromEnd?: boolean | undefined
}

export type ListOf<FilterColumn extends string, OrderName extends string> = PageRequest & {
  readonly filter?: Filter<FilterColumn> | undefined
  readonly orderBy: OrderName
  readonly direction: Direction
}

/** A request for one source: its columns and orders. */
export type ListRequest<S extends { orders: object; columns: object }> = ListOf<FilterColumn<S>, OrderName<S>>

type AnyList = ListOf<string, string>

function selectPage(
  from: RawBuilder<unknown>,
  listing: Listing,
  request: AnyList,
  plan: Plan,
  limit: number,
) {
  const page = (conditions: readonly RawBuilder<SqlBool>[]) => sql`
    select * from ${from} ${whereAll([...conditions, ...plan.conditions])} ${plan.order} ${limitTo(limit)}`
  const split = splitOf(listing, request)
  if (!split) return page([])
  return sql`
    select item.* from unnest(${keysOf(listing, split.column, split.values)}) as one (value)
    cross join lateral (${page([sql<SqlBool>`${ref(split.column)} = one.value`])}) as item
    ${plan.order} ${limitTo(limit)}`
}

/** A page as SQL, for a statement that reads more than the page. */
export type PageSql = {
  /** Selects the rows in the direction of reading, at most the limit. */
  readonly rows: (limit: number) => RawBuilder<unknown>
  /** The direction of reading, and that of the list. */
  readonly order: RawBuilder<unknown>
  readonly listOrder: RawBuilder<unknown>
  /** Columns of the key, and the name of the order: the parts of a cursor. */
  readonly key: readonly { readonly column: string; readonly kind: ColumnKind }[]
  readonly orderBy: string
}

/** The parent of a list: the column that has its key, and the key as SQL. */
export type ParentKey = { readonly column: string; readonly key: RawBuilder<unknown> }

/**
 * Writes one page of the whole table, or of a parent's list. @throws CodedError `VALIDATION_FAILED` for a foreign
 * cursor
 */
export function toPageSql(source: ListedSource, request: AnyList, parent?: ParentKey): PageSql {
  const from = view(source.table)
  if (!parent) return toPageSqlFrom(() => from, source, request)
  const plan = planPage(source, request, parent.column)
  return toSqlOf(plan, request, (limit) => selectPageOf(from, parent, plan, limit))
}

/**
 * Writes one page of any relation that defines its orders. @param from is called when the rows are written @throws as
 * `toPageSql`
 */
export function toPageSqlFrom(from: () => RawBuilder<unknown>, listing: Listing, request: AnyList): PageSql {
  const plan = planPage(listing, request)
  return toSqlOf(plan, request, (limit) => selectPage(from(), listing, request, plan, limit))
}

function toSqlOf({ order, listOrder, key }: Plan, { orderBy }: AnyList, rows: PageSql['rows']): PageSql {
  return { rows, order, listOrder, key, orderBy }
}

function selectPageOf(from: RawBuilder<unknown>, { column, key }: ParentKey, plan: Plan, limit: number) {
  const where = whereAll([sql<SqlBool>`${ref(column)} = ${key}`, ...plan.conditions])
  return sql`select * from ${from} ${where} ${plan.order} ${limitTo(limit)}`
}

/** As a literal, it counts for the plan of a prepared statement. */
function limitTo(limit: number) {
  return sql`limit ${sql.lit(limit)}`
}

/**
 * A column of which the filter allows a few values, where an index has the rows of each value in the requested order:
 * the result is merged from one page of each value. Without that, Postgres scans all rows in that order, and skips
 * those of other values: the open claims are at the end of a million by due date.
 */
function splitOf({ splits = {} }: Listing, { filter, orderBy }: AnyList) {
  const conditions = filter && 'and' in filter ? filter.and : []
  for (const condition of conditions) {
    if (!('values' in condition) || condition.is !== 'in') continue
    const { column, values } = condition
    if (splits[column]?.includes(orderBy)) return { column, values: [...new Set(values.map(String))] }
  }
  return undefined
}

/** The orders of a list and the kinds of their columns. */
export type Listing = Kinds & {
  readonly orders: { readonly [name: string]: readonly string[] | undefined }
  readonly splits?: { readonly [column: string]: readonly string[] | undefined }
}

/** A table with its orders. */
export type ListedSource = Listing & {
  readonly table: Table
  readonly key: readonly string[]
  readonly parents: readonly string[]
  readonly rollups?: readonly Rollup[]
}

type Plan = {
  conditions: readonly RawBuilder<SqlBool>[]
  order: RawBuilder<unknown>
  listOrder: RawBuilder<unknown>
  key: PageSql['key']
}

/** Writes the keys of some parents as an array of their column's type. */
export function keysOf(listing: Listing, column: string, keys: readonly string[]) {
  return sql`${[...keys]}::${sql.raw(sqlTypes[kindOf(listing, column)])}[]`
}

function planPage(listing: Listing, request: AnyList, constant?: string): Plan {
  const columns = listing.orders[request.orderBy]?.filter((column) => column !== constant)
  if (!columns) throw new Error(`there is no order ${request.orderBy}`)
  const shape = { name: request.orderBy, kinds: columns.map((column) => kindOf(listing, column)) }
  const key = sql`(${sql.join(columns.map((column) => ref(column)))})`
  const ascending = request.direction === 'asc'
  const readAscending = ascending !== (request.fromEnd ?? false)
  const beyond = (path: string, cursor: string | undefined, up: boolean): RawBuilder<SqlBool>[] => {
    if (cursor === undefined) return []
    const values = sql.join([...decodeCursor(shape, cursor, path)])
    return [sql<SqlBool>`${key} ${sql.raw(up ? '>' : '<')} (${values})`]
  }
  const inOrder = (isUp: boolean) => {
    const sense = sql.raw(isUp ? 'asc' : 'desc')
    return sql`order by ${sql.join(columns.map((column) => sql`${ref(column)} ${sense}`))}`
  }
  return {
    conditions: [
      ...(request.filter ? [toSql(request.filter)] : []),
      ...beyond('after', request.after, ascending),
      ...beyond('before', request.before, !ascending),
    ],
    order: inOrder(readAscending),
    listOrder: inOrder(ascending),
    key: columns.map((column) => ({ column, kind: kindOf(listing, column) })),
  }
}

export function whereAll(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`
}
