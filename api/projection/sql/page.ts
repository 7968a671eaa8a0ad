/** Lists, page by page, by keyset: a page starts at a key that an index finds, never at a count of rows to skip. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { BLOCK_KIND, type CursorBlock, decodeCursor, keyPartToSql } from './cursor.ts'
import { type Filter, toSql } from './filter.ts'
import {
  columnOf,
  type Json,
  type JsonField,
  type Sql,
  toBase64Url,
  toItems,
  toList,
  toObject,
  toObjectOfAll,
} from './json.ts'
import {
  type ColumnKind,
  type Kinds,
  kindOf,
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
  readonly block: Sql | undefined
}

/** The parent of a list: the columns that have its key, each with its value as SQL. */
export type ParentKey = { readonly [column: string]: RawBuilder<unknown> }

/** Writes the condition on the rows of a parent. */
export function isOf(parent: ParentKey): RawBuilder<SqlBool> {
  const conditions = Object.entries(parent).map(([column, key]) => sql`${ref(column)} = ${key}`)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/**
 * Writes one page of the whole table, or of a parent's list.
 *
 * @param block as of which the page is read
 * @throws CodedError `VALIDATION_FAILED` for a foreign cursor
 */
export function toPageSql(
  source: ListedSource,
  request: AnyList,
  parent: ParentKey | undefined,
  block: CursorBlock | undefined,
): PageSql {
  const from = view(source.table)
  if (!parent) return toPageSqlFrom(() => from, source, request, block)
  const plan = planPage(source, request, block, Object.keys(parent))
  return toSqlOf(plan, request, (limit) => selectPageOf(from, parent, plan, limit))
}

/**
 * Writes one page of any relation that defines its orders.
 *
 * @param from is called when the rows are written
 * @param block as of which the page is read
 * @throws as `toPageSql`
 */
export function toPageSqlFrom(
  from: () => RawBuilder<unknown>,
  listing: Listing,
  request: AnyList,
  block: CursorBlock | undefined,
): PageSql {
  const plan = planPage(listing, request, block)
  return toSqlOf(plan, request, (limit) => selectPage(from(), listing, request, plan, limit))
}

function toSqlOf(
  { order, listOrder, key, block }: Plan,
  { orderBy }: AnyList,
  rows: PageSql['rows'],
): PageSql {
  return { rows, order, listOrder, key, orderBy, block }
}

function selectPageOf(from: RawBuilder<unknown>, parent: ParentKey, plan: Plan, limit: number) {
  const where = whereAll([isOf(parent), ...plan.conditions])
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
  block: PageSql['block']
}

/** Writes the keys of some parents as an array of their column's type. */
export function keysOf(listing: Listing, column: string, keys: readonly string[]) {
  return sql`${[...keys]}::${sql.raw(sqlTypes[kindOf(listing, column)])}[]`
}

function planPage(
  listing: Listing,
  request: AnyList,
  block: CursorBlock | undefined,
  constants: readonly string[] = [],
): Plan {
  const columns = listing.orders[request.orderBy]?.filter((column) => !constants.includes(column))
  if (!columns) throw new Error(`there is no order ${request.orderBy}`)
  const kinds = columns.map((column) => kindOf(listing, column))
  const shape = { name: request.orderBy, kinds: block ? [...kinds, BLOCK_KIND] : kinds }
  const key = sql`(${sql.join(columns.map((column) => ref(column)))})`
  const ascending = request.direction === 'asc'
  const readAscending = ascending !== (request.fromEnd ?? false)
  const beyond = (path: string, cursor: string | undefined, up: boolean): RawBuilder<SqlBool>[] => {
    if (cursor === undefined) return []
    const values = decodeCursor(shape, cursor, path)
    block?.require(values.at(-1) ?? '', path)
    const after = sql.join(columns.map((column, i) => keyPartToSql(kindOf(listing, column), values[i] ?? '')))
    return [sql<SqlBool>`${key} ${sql.raw(up ? '>' : '<')} (${after})`]
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
    block: block?.text,
  }
}

export function whereAll(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`
}

/** Parts of a page as JSON. */
export type PageParts = {
  /** The items, each an object of its row. */
  readonly items: (item: Json) => Json
  /** The cursor of an item, within `items`. */
  readonly cursor: Sql
  /** `hasNextPage`, `hasPreviousPage`, `startCursor`, `endCursor`. */
  readonly info: (name: string) => Sql
}

/** Columns beside those of the rows: the number of a row in the direction of reading, and that of all rows. */
const NUMBER = '"#n"'
const ALL = '"#all"'

/**
 * Writes an object with parts of a page: from one relation of one row.
 *
 * @param row the name of the rows
 * @param hasInfo whether the object has more of the page than its items. Without, the rows are neither numbered nor
 * read beyond the page: half of the planner's time, and a quarter of that of the answer.
 * @param fieldsOf the fields of the object, from the parts
 */
export function toPageObject(
  { rows, order, listOrder, key, orderBy, block }: PageSql,
  { limit, fromEnd = false, after, before }: PageRequest,
  row: string,
  hasInfo: boolean,
  fieldsOf: (parts: PageParts) => readonly JsonField[],
): Json {
  const number = sql.raw(`${row}.${NUMBER}`)
  const isKept = hasInfo ? sql`filter (where ${number} <= ${sql.lit(limit)})` : sql``
  const cursor = cursorOf(row, key, orderBy, block)
  let isRead = false
  const aggregate = (value: Sql): Sql => {
    isRead = true
    return value
  }
  const first = () => aggregate(sql`max(${cursor}) filter (where ${number} = 1)`)
  const last = () =>
    aggregate(
      sql`max(${cursor}) filter (where ${number} = least(${sql.raw(`${row}.${ALL}`)}, ${sql.lit(limit)}))`,
    )
  const hasMore = () => aggregate(sql`count(*) > ${sql.lit(limit)}`)
  const info: { readonly [name: string]: (() => Sql) | undefined } = {
    hasNextPage: () => (fromEnd ? sql.lit(before !== undefined) : hasMore()),
    hasPreviousPage: () => (fromEnd ? hasMore() : sql.lit(after !== undefined)),
    startCursor: fromEnd ? last : first,
    endCursor: fromEnd ? first : last,
  }
  const fields = fieldsOf({
    items: (item) => toList(aggregate(toItems(item, listOrder, isKept))),
    cursor,
    info: (name) => {
      const part = info[name]
      if (!part) throw new Error(`a page has no ${name}`)
      return part()
    },
  })
  if (!isRead) return toObject(fields)
  const numbered = sql`
    select page.*, row_number() over (${order}) as ${sql.raw(NUMBER)}, count(*) over () as ${sql.raw(ALL)}
    from (${rows(limit + 1)}) as page`
  return toObjectOfAll(fields, sql`from (${hasInfo ? numbered : rows(limit)}) as ${sql.raw(row)}`)
}

/** The cursor of a row, as `encodeCursor` writes it. */
function cursorOf(row: string, key: PageSql['key'], orderBy: string, block: Sql | undefined): Sql {
  const name = sql.lit(`[${JSON.stringify(orderBy)}`)
  const quoted = (text: Sql) => sql`',"' || ${text} || '"'`
  const values = key.map(({ column, kind }) => {
    const text = sql`${columnOf(row, column)}::text`
    // Only a text can hold what JSON escapes.
    return kind === 'text' ? sql`',' || to_json(${text})::text` : quoted(text)
  })
  if (block) values.push(quoted(block))
  return toBase64Url(sql`${name} || ${sql.join(values, sql` || `)} || ']'`)
}
