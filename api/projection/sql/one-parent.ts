/** Filters that leave rows of one parent: an index has them, so the parent's rows bound what a statement reads. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Filter, toSql } from './filter.ts'
import type { Sql } from './json.ts'
import type { ListedSource } from './page.ts'
import { view } from './source.ts'

/**
 * Rows of one parent that are counted and added up without an estimate first. A parent with more is bounded by the
 * estimate: a request that is refused there costs little here.
 */
export const ROWS_MAX = 20_000

type Parents = Pick<ListedSource, 'table' | 'parents'>

/** Whether the rows are those of one parent, which an index has in every order: it is the best plan for each parent. */
export function isOneParent(source: Parents, filter: Filter): boolean {
  return conditionsOf(filter).length === 1 && parentOf(source, filter) !== undefined
}

/**
 * Writes the filter, and a condition that fails the statement where the parent has too many rows. Undefined where the
 * filter does not name one parent.
 *
 * @param failure a text with a value of a row: the planner would evaluate a failure of constants ahead
 */
export function boundByParent(
  source: Parents,
  filter: Filter,
  failure: Sql,
): RawBuilder<SqlBool> | undefined {
  const parent = parentOf(source, filter)
  return parent && whereAtMost(source, toSql(parent), toSql(filter), ROWS_MAX, failure)
}

/** Counts the rows that the filter leaves, with the same bound. Rows of one parent are read once for both. */
export function countOfParent(source: Parents, filter: Filter, failure: Sql): Sql | undefined {
  if (isOneParent(source, filter)) return countAtMost(source, toSql(filter), ROWS_MAX, failure)
  const bounded = boundByParent(source, filter, failure)
  return bounded && sql`(select count(*)::int4 from ${view(source.table)} where ${bounded})`
}

/** Writes the condition `where`, and one that fails the statement where more than `max` rows meet `parent`. */
export function whereAtMost(
  { table }: Parents,
  parent: RawBuilder<SqlBool>,
  where: RawBuilder<SqlBool>,
  max: number,
  failure: Sql,
): RawBuilder<SqlBool> {
  const others = sql`exists (select from ${view(table)} where ${parent} offset ${sql.lit(max)})`
  return sql<SqlBool>`${where} and case when ${others} then (${failure})::bool else true end`
}

/** Counts the rows that meet `parent`; fails the statement beyond `max`. */
export function countAtMost({ table }: Parents, parent: RawBuilder<SqlBool>, max: number, failure: Sql): Sql {
  const rows = sql`select from ${view(table)} where ${parent} limit ${sql.lit(max + 1)}`
  const isWide = sql`count(*) > ${sql.lit(max)}`
  return sql`(select case when ${isWide} then (${failure})::int4 else count(*)::int4 end from (${rows}) as own)`
}

function parentOf({ parents }: Parents, filter: Filter): Filter | undefined {
  return conditionsOf(filter).find(
    (condition) => 'value' in condition && condition.is === 'eq' && parents.includes(condition.column),
  )
}

function conditionsOf(filter: Filter): readonly Filter[] {
  return 'and' in filter ? filter.and : [filter]
}
