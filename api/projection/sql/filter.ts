/** Conditions on a list, as data: what the GraphQL filters and the REST queries are translated to. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { PROJECTION_SCHEMA, ref, type Table, view } from './source.ts'

export type FilterValue = bigint | number | string | boolean

const comparisons = { eq: '=', not: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const memberships = { in: 'in', notIn: 'not in' } as const

export type Comparison = keyof typeof comparisons
export type Membership = keyof typeof memberships

/** Stands for the time of the finalized block of the answer, Unix seconds. */
export const BLOCK_TIME = { of: 'block' } as const

/** The keys of the rows of a table that meet a condition. */
export type Keys = { readonly table: Table; readonly key: string; readonly where: Filter }

export type Filter<Column extends string = string> =
  | {
      readonly column: Column
      readonly is: Comparison
      readonly value: FilterValue | typeof BLOCK_TIME
    }
  | { readonly column: Column; readonly is: Membership; readonly values: readonly FilterValue[] }
  | { readonly column: Column; readonly is: Membership; readonly keys: Keys }
  | { readonly and: readonly Filter<Column>[] }
  | { readonly or: readonly Filter<Column>[] }

/** Writes the filter as SQL. An empty `and` is true, since no condition fails; an empty `or` is false. */
export function toSql(filter: Filter): RawBuilder<SqlBool> {
  if ('and' in filter) return combine(filter.and, sql` and `, sql<SqlBool>`true`)
  if ('or' in filter) return combine(filter.or, sql` or `, sql<SqlBool>`false`)
  if ('values' in filter) return membership(filter.column, filter.is, filter.values)
  if ('keys' in filter) return isAmong(filter.column, filter.is, filter.keys)
  const value = typeof filter.value === 'object' ? blockTime : sql`${filter.value}`
  return sql<SqlBool>`${ref(filter.column)} ${sql.raw(comparisons[filter.is])} ${value}`
}

/** Read where it is compared: a filter is made before its snapshot is opened. */
const blockTime = sql`(select left(min(latest_checkpoint), 10)::numeric from ${sql.table(`${PROJECTION_SCHEMA}._ponder_checkpoint`)})`

function isAmong(column: string, is: Membership, { table, key, where }: Keys): RawBuilder<SqlBool> {
  const keys = sql`select ${ref(key)} from ${view(table)} where ${toSql(where)}`
  return sql<SqlBool>`${ref(column)} ${sql.raw(memberships[is])} (${keys})`
}

function combine(filters: readonly Filter[], word: RawBuilder<unknown>, none: RawBuilder<SqlBool>) {
  if (filters.length === 0) return none
  return sql<SqlBool>`(${sql.join(filters.map(toSql), word)})`
}

function membership(column: string, is: Membership, values: readonly FilterValue[]): RawBuilder<SqlBool> {
  if (values.length === 0) return sql<SqlBool>`${is === 'notIn'}`
  return sql<SqlBool>`${ref(column)} ${sql.raw(memberships[is])} (${sql.join([...values])})`
}
