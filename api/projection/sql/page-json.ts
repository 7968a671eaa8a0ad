/** A page of a list as JSON: one relation of one row, whose columns are the parts of a connection. */
import { sql } from 'kysely'
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
import type { PageRequest, PageSql } from './page.ts'

/** Parts of a page, from which a connection selects. */
export type PageParts = {
  /** The items, each an object of its row. */
  list: (item: readonly JsonField[]) => Json
  hasNext: () => Sql
  hasPrevious: () => Sql
  startCursor: () => Sql
  endCursor: () => Sql
  /** The cursor of an item, within `list`. */
  cursor: Sql
}

/** Columns beside those of the rows: the number of a row in the direction of reading, and that of all rows. */
const NUMBER = '"#n"'
const ALL = '"#all"'

/**
 * Writes an object with parts of a page.
 *
 * @param row the name of the rows
 * @param hasInfo whether the object has more of the page than its items. Without, the rows are neither numbered nor
 * read beyond the page: half of the planner's time, and a quarter of that of the answer.
 * @param fieldsOf the fields of the object, from the parts
 */
export function toPageObject(
  { rows, order, listOrder, key, orderBy }: PageSql,
  { limit, fromEnd = false, after, before }: PageRequest,
  row: string,
  hasInfo: boolean,
  fieldsOf: (parts: PageParts) => readonly JsonField[],
): Json {
  const number = sql.raw(`${row}.${NUMBER}`)
  const isKept = hasInfo ? sql`filter (where ${number} <= ${sql.lit(limit)})` : sql``
  const cursor = cursorOf(row, key, orderBy)
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
  const fields = fieldsOf({
    list: (item) => toList(aggregate(toItems(toObject(item), listOrder, isKept))),
    hasNext: () => (fromEnd ? sql.lit(before !== undefined) : hasMore()),
    hasPrevious: () => (fromEnd ? hasMore() : sql.lit(after !== undefined)),
    startCursor: () => (fromEnd ? last() : first()),
    endCursor: () => (fromEnd ? first() : last()),
    cursor,
  })
  if (!isRead) return toObject(fields)
  const numbered = sql`
    select page.*, row_number() over (${order}) as ${sql.raw(NUMBER)}, count(*) over () as ${sql.raw(ALL)}
    from (${rows(limit + 1)}) as page`
  return toObjectOfAll(fields, sql`from (${hasInfo ? numbered : rows(limit)}) as ${sql.raw(row)}`)
}

/** The cursor of a row, as `encodeCursor` writes it. */
function cursorOf(row: string, key: PageSql['key'], orderBy: string): Sql {
  const name = sql.lit(`[${JSON.stringify(orderBy)}`)
  const values = key.map(({ column, kind }) => {
    const text = sql`${columnOf(row, column)}::text`
    // Only a text can hold what JSON escapes.
    return kind === 'text' ? sql`',' || to_json(${text})::text` : sql`',"' || ${text} || '"'`
  })
  return toBase64Url(sql`${name} || ${sql.join(values, sql` || `)} || ']'`)
}
