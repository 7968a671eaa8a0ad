/**
 * Groups of a table's rows with exact counts and sums. Amounts of different tokens have no sum, so the token is part of
 * every group's key, also where it is not a requested grouping.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import { translate } from './aggregate-rollup.ts'
import type { CursorBlock } from './cursor.ts'
import { type Filter, toSql } from './filter.ts'
import { boundByParent } from './one-parent.ts'
import { type Direction, type Listing, type PageRequest, type PageSql, toPageSqlFrom } from './page.ts'
import { type Period, periodStart } from './period.ts'
import type { RowBounds } from './row-bounds.ts'
import {
  type Column,
  type FilterColumn,
  type Rollup,
  type Row,
  ref,
  type Source,
  type Table,
  view,
} from './source.ts'

/** A grouping: the value of a column, or the first second of the period of a time. */
export type Dimension<C extends string> = { readonly column: C; readonly period?: Period }

export type Aggregation<T extends Table> = {
  readonly source: Source<T>
  readonly dimensions: { readonly [name: string]: Dimension<Column<T>> }
  readonly amounts: readonly Column<T>[]
  /** The filters that an index serves, as named in the API, for the error `AGGREGATE_TOO_WIDE`. */
  readonly narrowBy: string
}

/** The parts of an aggregation that define its requests. */
export type Aggregated = {
  source: { table: Table; columns: object }
  dimensions: { [name: string]: { column: string } }
  amounts: readonly string[]
}
export type DimensionName<A extends Aggregated> = keyof A['dimensions'] & string
export type AmountName<A extends Aggregated> = A['amounts'][number]

/** Values that the rows of a group share, for the requested groupings only. */
type Key<A extends Aggregated> = {
  readonly [D in DimensionName<A>]?: Row<A['source']['table']>[A['dimensions'][D]['column'] &
    Column<A['source']['table']>]
}
/** Its key and the number of its rows. Its amounts are columns named by `sumOf`, `minOf` and `maxOf`. */
export type Group<A extends Aggregated> = Key<A> & { readonly token: Address; readonly count: bigint }

/** `key` orders by token, then by the groupings. Equal measures are ordered by key. */
export type GroupOrder<A extends Aggregated> = 'key' | 'count' | AmountName<A>
export type GroupRequest<A extends Aggregated> = PageRequest & {
  readonly filter?: Filter<FilterColumn<A['source']>> | undefined
  readonly groupBy: readonly DimensionName<A>[]
  readonly orderBy: GroupOrder<A>
  readonly direction: Direction
}

/** The groups as SQL: a page of them, the columns of a group, and how many groups there are. */
export type GroupsSql = {
  readonly page: PageSql
  readonly names: readonly string[]
  readonly count: () => RawBuilder<unknown>
  /** Has the rows themselves read where totals do not have the column. Only before the page is written. */
  readonly use: (name: string) => void
  /** Whether rows are added up, not totals. */
  readonly isOfRows: () => boolean
}

/** @param block as of which the groups are read @throws CodedError `VALIDATION_FAILED` for a foreign cursor */
export function toGroupsSql<T extends Table, A extends Aggregation<T>>(
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
  bounds: RowBounds,
  block: CursorBlock | undefined,
): GroupsSql {
  const { source, amounts } = aggregation
  const filter = request.filter ?? { and: [] }
  const key = keyNames(request).map((name) => ({ name, ...dimension(aggregation, name) }))
  const rollups = bounds.hasTotals ? (source.rollups ?? []) : []
  const [rollup] = rollups.flatMap((one) => groupRollup(one, filter, key) ?? [])
  const measures = amounts.flatMap((amount) => [sumOf(amount), minOf(amount), maxOf(amount)])
  let isOfRows = rollup === undefined
  const groups = once(() => groupRows(aggregation, filter, key, bounds))
  const from = () => (rollup && !isOfRows ? rollup.groups : groups())
  const listing = toListing(aggregation, request)
  // The filter is about the rows that are grouped, not about the groups.
  const paged = { ...request, filter: undefined, orderBy: orderName(request) }
  return {
    page: toPageSqlFrom(from, listing, paged, block),
    names: [...keyNames(request), 'count', ...measures],
    count: () => sql`(select count(*) from ${from()})`,
    use: (name) => {
      if (measures.includes(name) && !rollup?.sums.includes(name)) isOfRows = true
    },
    isOfRows: () => isOfRows,
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

type AnyRequest = {
  readonly filter?: Filter | undefined
  readonly groupBy: readonly string[]
  readonly orderBy: string
}

/** The groups as rows of a listing: ordered by their key, or by a measure and then their key. */
function toListing<T extends Table>(aggregation: Aggregation<T>, request: AnyRequest): Listing {
  const key = keyNames(request)
  const measures = ['count', ...aggregation.amounts.map(sumOf)]
  const { columns }: Pick<Listing, 'columns'> = aggregation.source
  const kinds = key.map((name) => [name, columns[dimension(aggregation, name).column]])
  const measure = request.orderBy === 'count' ? 'count' : sumOf(request.orderBy)
  return {
    columns: {
      ...Object.fromEntries(measures.map((name) => [name, 'integer' as const])),
      ...Object.fromEntries(kinds),
    },
    orders: { [orderName(request)]: request.orderBy === 'key' ? key : [measure, ...key] },
  }
}

/** A cursor of one grouping must not pass for one of another. */
function orderName(request: AnyRequest): string {
  return [request.orderBy, ...keyNames(request)].join(' ')
}

function keyNames({ groupBy }: AnyRequest): readonly string[] {
  return [...new Set(['token', ...groupBy])]
}

function dimension<T extends Table>(aggregation: Aggregation<T>, name: string): Dimension<string> {
  return name === 'token' ? { column: 'token' } : (aggregation.dimensions[name] ?? { column: name })
}

type Selected = { readonly name: string; readonly column: string; readonly period?: Period | undefined }

/**
 * The groups of the table's rows, which are bounded: by those of one parent where the filter names it, else by the
 * planner's estimate.
 */
function groupRows<T extends Table>(
  { source, amounts, narrowBy }: Aggregation<T>,
  filter: Filter,
  key: readonly Selected[],
  bounds: RowBounds,
): RawBuilder<unknown> {
  const measures = amounts.flatMap((amount) => [
    measure('sum', amount, sumOf(amount)),
    measure('min', amount, minOf(amount)),
    measure('max', amount, maxOf(amount)),
  ])
  const grouped = (where: RawBuilder<SqlBool>) =>
    group(source.table, where, key, [sql`count(*) as count`, ...measures])
  const ofParent = bounds.isEstimated ? undefined : boundByParent(source, filter, bounds.exceeded())
  if (ofParent) return grouped(ofParent)
  const all = grouped(toSql(filter))
  bounds.bound(all, { subject: 'The aggregate', advice: `Narrow its filter by ${narrowBy}.` })
  return all
}

/** The groups of a rollup, and the sums that it has; undefined where it does not cover the request. */
function groupRollup(rollup: Rollup, filter: Filter, key: readonly Selected[]) {
  const translated = translate(filter, rollup)
  const known = key.flatMap(({ name, column, period }) => {
    const own = period && column === rollup.time ? 'day' : rollup.columns[column]
    return own === undefined ? [] : [{ name, column: own, period }]
  })
  if (!translated || known.length < key.length) return undefined
  const measures = [
    measure('sum', rollup.count, 'count'),
    ...Object.entries(rollup.amounts).map(([amount, column]) => measure('sum', column, sumOf(amount))),
  ]
  // A rollup's row can be about other things, or about rows that have moved on to another.
  const having = sql`having sum(${ref(rollup.count)}) > 0`
  return {
    groups: group(rollup.table, toSql(translated), known, measures, having),
    sums: Object.keys(rollup.amounts).map(sumOf),
  }
}

function group(
  table: Table,
  where: RawBuilder<SqlBool>,
  key: readonly Selected[],
  measures: readonly RawBuilder<unknown>[],
  having = sql``,
): RawBuilder<unknown> {
  const values = key.map(({ name, column, period }) => {
    const value = ref(column)
    return sql`${period ? periodStart(period, value) : value} as ${ref(name)}`
  })
  const places = key.map((_, index) => sql.lit(index + 1))
  return sql`(
    select ${sql.join([...values, ...measures])} from ${view(table)} where ${where}
    group by ${sql.join(places)} ${having}
  ) as grouped`
}

function measure(by: 'sum' | 'min' | 'max', column: string, name: string): RawBuilder<unknown> {
  return sql`${sql.raw(by)}(${ref(column)}) as ${ref(name)}`
}

export const sumOf = (amount: string) => `${amount}Sum`
export const minOf = (amount: string) => `${amount}Min`
export const maxOf = (amount: string) => `${amount}Max`
