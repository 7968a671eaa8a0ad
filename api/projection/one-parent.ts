/** Filters that leave rows of one parent: an index has them, so the parent's rows bound what a statement reads. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Filter, toSql } from './filter.ts'
import type { Sql } from './json.ts'
import type { ListedSource } from './page.ts'
import { view } from './source.ts'

/**
 * Rows of one parent that are counted and added up without a plan first. A parent with more is left to resolvers, which bound what is
 * read by its plan: a request that is refused there costs little here.
 */
const ROWS_MAX = 20_000

/** Fails as a number or as a condition. It is a value of a row, because the planner would evaluate a failure of constants ahead. */
const FAILURE = sql`('too many rows at ' || state.checkpoint)`

type Parents = Pick<ListedSource, 'table' | 'parents'>

/** Whether the rows are those of one parent, which an index has in every order: it is the best plan for each parent. */
export function isOneParent(source: Parents, filter: Filter): boolean {
  return conditionsOf(filter).length === 1 && parentOf(source, filter) !== undefined
}

/**
 * The filter, and a condition that fails the statement where the parent has too many rows. Undefined where the filter does not name one parent.
 * It is for statements that have the row `state`.
 */
export function boundByParent(source: Parents, filter: Filter): RawBuilder<SqlBool> | undefined {
  const parent = parentOf(source, filter)
  if (!parent) return undefined
  const failure = sql`${FAILURE}::bool`
  const others = sql`exists (select from ${view(source.table)} where ${toSql(parent)} offset ${sql.lit(ROWS_MAX)})`
  return sql<SqlBool>`${toSql(filter)} and case when ${others} then ${failure} else true end`
}

/** The number of rows that the filter leaves, with the same bound. Rows of one parent are read once for both. */
export function countOfParent(source: Parents, filter: Filter): Sql | undefined {
  if (!isOneParent(source, filter)) {
    const bounded = boundByParent(source, filter)
    return bounded && sql`(select count(*)::int4 from ${view(source.table)} where ${bounded})`
  }
  const rows = sql`select from ${view(source.table)} where ${toSql(filter)} limit ${sql.lit(ROWS_MAX + 1)}`
  const isWide = sql`count(*) > ${sql.lit(ROWS_MAX)}`
  return sql`(select case when ${isWide} then ${FAILURE}::int4 else count(*)::int4 end from (${rows}) as own)`
}

function parentOf({ parents }: Parents, filter: Filter): Filter | undefined {
  return conditionsOf(filter).find(
    (condition) => 'value' in condition && condition.is === 'eq' && parents.includes(condition.column),
  )
}

function conditionsOf(filter: Filter): readonly Filter[] {
  return 'and' in filter ? filter.and : [filter]
}
