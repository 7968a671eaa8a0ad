/** Exact number of rows of a list: from a rollup where possible, else counted within the bound of aggregates. */
import { type RawBuilder, sql } from 'kysely'
import { refuseWide } from './aggregate-bound.ts'
import { type Rollup, translate } from './aggregate-rollup.ts'
import { allocationGroups, claimGroups, executionGroups, settlementGroups } from './aggregates.ts'
import { type Filter, toSql } from './filter.ts'
import { countOfParent } from './one-parent.ts'
import { keysOf, type ListedSource, type ParentKey } from './page.ts'
import type { Snapshot } from './snapshot.ts'
import { type Column, ref, type Source, type Table, view } from './source.ts'

/** Rollups that have the number of rows of a table. */
const rollups: { readonly [T in Table]?: readonly Rollup[] } = {
  claim: claimGroups.rollups,
  execution: executionGroups.rollups,
  allocation: allocationGroups.rollups,
  settlement: settlementGroups.rollups,
}

const EVERYTHING: Filter = { and: [] }

/** Rows that the filter leaves, on all pages. @throws CodedError `AGGREGATE_TOO_WIDE` where too many rows would be read */
export async function countRows<T extends Table>(
  snapshot: Snapshot,
  { table }: Source<T>,
  filter: Filter = EVERYTHING,
): Promise<number> {
  const { count, from, isRollup } = toCount(table, filter)
  const counted = sql`(select ${count} as n from ${from}) as counted`
  if (!isRollup) await refuseWideCount(snapshot, counted)
  const { rows } = await sql<{ n: bigint }>`select n from ${counted}`.execute(snapshot.db)
  return Number(rows[0]?.n ?? 0n)
}

/** The same for each parent's list, in one statement. Same errors. */
export async function countRowsOf<T extends Table>(
  snapshot: Snapshot,
  source: Source<T>,
  parentColumn: Column<T>,
  parents: readonly string[],
  filter: Filter = EVERYTHING,
): Promise<number[]> {
  const { count, from, isRollup, parent = parentColumn } = toCount(source.table, filter, parentColumn)
  const key = ref(parent)
  const counted = sql`(
    select ${key} as parent, ${count} as n from ${from} and ${key} = any(${keysOf(source, parentColumn, parents)})
    group by ${key}
  ) as counted`
  if (!isRollup) await refuseWideCount(snapshot, counted)
  const statement = sql<{ parent: string | number; n: bigint }>`select parent, n from ${counted}`
  const { rows } = await statement.execute(snapshot.db)
  const counts = new Map(rows.map(({ parent, n }) => [String(parent), Number(n)]))
  return parents.map((key) => counts.get(key) ?? 0)
}

/**
 * The same as SQL, of the whole table or of one parent's list. Undefined where no rollup covers the filter, and the filter does not bound the
 * rows either.
 */
export function countInStatement(
  source: ListedSource,
  filter: Filter = EVERYTHING,
  parent?: ParentKey,
): RawBuilder<unknown> | undefined {
  const { count, from, isRollup, parent: column } = toCount(source.table, filter, parent?.column)
  if (!isRollup) return parent ? undefined : countOfParent(source, filter)
  const own = parent && column !== undefined ? sql`and ${ref(column)} = ${parent.key}` : sql``
  return sql`(select (${count})::int4 from ${from} ${own})`
}

type Countable = {
  count: RawBuilder<unknown>
  /** Ends with a condition. */
  from: RawBuilder<unknown>
  isRollup: boolean
  /** Name of the parents' column in the rollup. */
  parent?: string
}

/** The first rollup that covers the filter, and each parent where there are parents; else the rows. */
function toCount(table: Table, filter: Filter, parentColumn?: string): Countable {
  for (const rollup of rollups[table] ?? []) {
    const translated = translate(filter, rollup)
    const parent = parentColumn === undefined ? undefined : rollup.columns[parentColumn]
    if (!translated || (parentColumn !== undefined && parent === undefined)) continue
    const count = sql`coalesce(sum(${ref(rollup.count)}), 0)`
    return { count, from: fromWhere(rollup.table, translated), isRollup: true, ...(parent && { parent }) }
  }
  return { count: sql`count(*)`, from: fromWhere(table, filter), isRollup: false }
}

function fromWhere(table: Table, filter: Filter): RawBuilder<unknown> {
  return sql`${view(table)} where ${toSql(filter)}`
}

function refuseWideCount(snapshot: Snapshot, statement: RawBuilder<unknown>): Promise<void> {
  return refuseWide(snapshot, statement, {
    subject: 'totalCount',
    advice: 'Narrow the filter of the list by a column of its orders or by its parent, or omit totalCount.',
  })
}
