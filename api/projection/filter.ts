/** Conditions on a list, as data: what the GraphQL filters and the REST queries are translated to. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

export type FilterValue = bigint | number | string | boolean

const comparisons = { eq: '=', not: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const memberships = { in: 'in', notIn: 'not in' } as const

export type Comparison = keyof typeof comparisons
export type Membership = keyof typeof memberships

export type Filter<Column extends string = string> =
  | { readonly column: Column; readonly is: Comparison; readonly value: FilterValue }
  | { readonly column: Column; readonly is: Membership; readonly values: readonly FilterValue[] }
  | { readonly and: readonly Filter<Column>[] }
  | { readonly or: readonly Filter<Column>[] }

/** The filter as SQL. Of no conditions all hold and none does: an empty `and` is true, an empty `or` false. */
export function toSql(filter: Filter): RawBuilder<SqlBool> {
  if ('and' in filter) return combine(filter.and, sql` and `, sql<SqlBool>`true`)
  if ('or' in filter) return combine(filter.or, sql` or `, sql<SqlBool>`false`)
  if ('values' in filter) return membership(filter.column, filter.is, filter.values)
  return sql<SqlBool>`${sql.ref(filter.column)} ${sql.raw(comparisons[filter.is])} ${filter.value}`
}

function combine(filters: readonly Filter[], word: RawBuilder<unknown>, none: RawBuilder<SqlBool>) {
  if (filters.length === 0) return none
  return sql<SqlBool>`(${sql.join(filters.map(toSql), word)})`
}

function membership(column: string, is: Membership, values: readonly FilterValue[]): RawBuilder<SqlBool> {
  if (values.length === 0) return sql<SqlBool>`${is === 'notIn'}`
  return sql<SqlBool>`${sql.ref(column)} ${sql.raw(memberships[is])} (${sql.join([...values])})`
}
