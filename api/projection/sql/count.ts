/** Exact number of rows of a list: from a rollup where possible, else counted within the bound of aggregates. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { translate } from './aggregate-rollup.ts'
import { type Filter, toSql } from './filter.ts'
import type { Sql } from './json.ts'
import { countAtMost, countOfParent, whereAtMost } from './one-parent.ts'
import { isOf, type ListedSource, type ParentKey } from './page.ts'
import { type RowBounds, type Subject, tooWide } from './row-bounds.ts'
import { ref, view } from './source.ts'

const EVERYTHING: Filter = { and: [] }

/** Rows of one parent that a count reads, and of each parent where a list has many. */
const ROWS_MAX = 200_000
const ROWS_OF_EACH_MAX = 10_000

const SUBJECT: Subject = {
  subject: 'totalCount',
  advice: 'Narrow the filter of the list by a column of its orders or by its parent, or omit totalCount.',
}

/** Counts the rows that the filter leaves. */
export function countOfTable(source: ListedSource, filter: Filter = EVERYTHING, bounds: RowBounds): Sql {
  const rollup = bounds.hasTotals ? fromRollup(source, filter) : undefined
  if (rollup) return sql`(select ${rollup.count} from ${rollup.from})`
  const ofParent = bounds.isEstimated ? undefined : countOfParent(source, filter, bounds.exceeded())
  if (ofParent) return ofParent
  const counted = sql`(select count(*)::int4 from ${view(source.table)} where ${toSql(filter)})`
  bounds.bound(sql`${counted} as counted`, SUBJECT)
  return counted
}

/** Counts the rows of a parent that the filter leaves. */
export function countOfEach(
  source: ListedSource,
  parent: ParentKey,
  filter: Filter | undefined,
  bounds: RowBounds,
): Sql {
  const rollup = bounds.hasTotals ? fromRollup(source, filter ?? EVERYTHING, parent) : undefined
  if (rollup) return sql`(select ${rollup.count} from ${rollup.from} and ${isOf(rollup.parent)})`
  const max = bounds.isInList() ? ROWS_OF_EACH_MAX : ROWS_MAX
  const failure = bounds.failure(() => tooWide(SUBJECT, max))
  const ofParent = isOf(parent)
  if (!filter) return countAtMost(source, ofParent, max, failure)
  const where = whereAtMost(source, ofParent, sql<SqlBool>`${ofParent} and ${toSql(filter)}`, max, failure)
  return sql`(select count(*)::int4 from ${view(source.table)} where ${where})`
}

type FromRollup = {
  readonly count: Sql
  /** Ends with a condition. */
  readonly from: RawBuilder<unknown>
  /** The parent in the columns of the rollup. */
  readonly parent: ParentKey
}

/** The first rollup that covers the filter, and the parent where there is one. */
function fromRollup(
  { rollups = [] }: ListedSource,
  filter: Filter,
  parent: ParentKey = {},
): FromRollup | undefined {
  for (const rollup of rollups) {
    const translated = translate(filter, rollup)
    const own = Object.entries(parent).map(([column, key]) => [rollup.columns[column], key] as const)
    if (!translated || own.some(([column]) => column === undefined)) continue
    return {
      count: sql`coalesce(sum(${ref(rollup.count)}), 0)::int4`,
      from: sql`${view(rollup.table)} where ${toSql(translated)}`,
      parent: Object.fromEntries(own),
    }
  }
  return undefined
}
