/** Objects in SQL. */
import { sql } from 'kysely'
import { columnOf, type Json, type Sql } from './json.ts'
import type { ListedSource, PageParts } from './page.ts'

/** Separates the values of a key of several columns; none can contain it. */
export const idSeparator = '-'

/** The values of an object. */
export type Scope = {
  readonly column: (name: string) => Sql
  /** The part of its global id after the name of its type. */
  readonly id: Sql
  /** Unix seconds of the finalized block. */
  readonly now: Sql
  /** An object that was found outside of Postgres. */
  readonly given?: object
  /** The scope of the items of a page, and their list. */
  readonly page?: { readonly item: Scope; readonly items: (item: Json) => Json }
  /** Rows that are read with those of the projection. */
  readonly elsewhere?: readonly object[]
}

/** The time of the finalized block, Unix seconds: the first ten digits of the checkpoint. */
const NOW = sql.raw('left(state.checkpoint, 10)::numeric')

/** The finalized block of the answer. */
export const blockScope: Scope = {
  column: (name) => (name === 'timestamp' ? NOW : sql.raw('substr(state.checkpoint, 27, 16)::numeric')),
  id: sql.raw(`''`),
  now: NOW,
}

/**
 * Makes the scope of the row of a source with this name in the statement. @param elsewhere rows that are read with
 * those of the source; they can have more columns
 */
export function rowScope(row: string, { key }: ListedSource, elsewhere?: readonly object[]): Scope {
  const values = key.map((column) => sql`${columnOf(row, column)}::text`)
  return {
    column: (name) => columnOf(row, name),
    id: sql.join(values, sql.raw(` || '${idSeparator}' || `)),
    now: NOW,
    ...(elsewhere && { elsewhere }),
  }
}

/** Makes the scope of a row of a relation without a key. */
export function tupleScope(row: string): Scope {
  return { column: (name) => columnOf(row, name), id: sql.raw(`''`), now: NOW }
}

/** Makes the scope of a group: null for what it is not grouped by. It has no id. */
export function groupScope(row: string, names: readonly string[]): Scope {
  const known = new Set(names)
  return {
    column: (name) => (known.has(name) ? columnOf(row, name) : sql.raw('null')),
    id: sql.raw('null'),
    now: NOW,
  }
}

/** Makes the scope of the account with this address. */
export function accountScope(address: Sql): Scope {
  return keyScope(address)
}

/** Makes the scope of an object of which only the key is known. */
export function keyScope(key: Sql): Scope {
  return { column: () => key, id: sql`${key}::text`, now: NOW }
}

/** No object: that of the query. */
export const rootScope: Scope = {
  column: (name) => {
    throw new Error(`the query has no column ${name}`)
  },
  id: sql.raw(`''`),
  now: NOW,
}

/** Makes the scope of a page. @param item the scope of an item @param count of all items */
export function pageScope({ items, cursor, info }: PageParts, item: Scope, count: () => Sql): Scope {
  const own: Scope = { ...item, column: (name) => (name === 'cursor' ? cursor : item.column(name)) }
  return {
    ...rootScope,
    column: (name) => (name === 'totalCount' ? count() : info(name)),
    page: { item: own, items },
  }
}
