/**
 * Groups of a table's rows with exact counts and sums. Amounts of different tokens have no sum, so the token is part of every
 * group's key, also where it is not a requested grouping.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Address } from 'viem'
import { refuseWide } from './aggregate-bound.ts'
import { type Rollup, translate } from './aggregate-rollup.ts'
import { type Filter, toSql } from './filter.ts'
import { boundByParent } from './one-parent.ts'
import {
  type Direction,
  type Listing,
  type Page,
  type PageRequest,
  type PageSql,
  readPageFrom,
  toPageSqlFrom,
} from './page.ts'
import { type Period, periodStart } from './period.ts'
import type { Snapshot } from './snapshot.ts'
import { type Column, type FilterColumn, type Row, ref, type Source, type Table, view } from './source.ts'

/** A grouping: the value of a column, or the first second of the period of a time. */
export type Dimension<C extends string> = { readonly column: C; readonly period?: Period }

export type Aggregation<T extends Table> = {
  readonly source: Source<T>
  readonly dimensions: { readonly [name: string]: Dimension<Column<T>> }
  readonly amounts: readonly Column<T>[]
  /** The first one that covers the request is read instead of the table. */
  readonly rollups: readonly Rollup[]
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

/** The values that the rows of a group share, for the requested groupings only. */
type Key<A extends Aggregated> = {
  readonly [D in DimensionName<A>]?: Row<A['source']['table']>[A['dimensions'][D]['column'] &
    Column<A['source']['table']>]
}
/** Its amounts are exact. The minimum and the maximum are read from the rows themselves, only when they are selected. */
export type Group<A extends Aggregated> = Key<A> & {
  readonly token: Address
  readonly count: bigint
  readonly sum: (amount: AmountName<A>) => bigint
  readonly extremes: (amount: AmountName<A>) => Promise<{ min: bigint; max: bigint }>
}

type GroupRow<A extends Aggregated> = Key<A> & { readonly token: Address; readonly count: bigint }

/** `key` orders by token, then by the groupings. Equal measures are ordered by key. */
export type GroupOrder<A extends Aggregated> = 'key' | 'count' | AmountName<A>
export type GroupRequest<A extends Aggregated> = PageRequest & {
  readonly filter?: Filter<FilterColumn<A['source']>> | undefined
  readonly groupBy: readonly DimensionName<A>[]
  readonly orderBy: GroupOrder<A>
  readonly direction: Direction
}

/**
 * One page of the groups.
 *
 * @throws CodedError `AGGREGATE_TOO_WIDE` where too many rows would be read; `VALIDATION_FAILED` for a foreign cursor
 */
export async function readGroups<T extends Table, A extends Aggregation<T>>(
  snapshot: Snapshot,
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
): Promise<Page<Group<A>>> {
  const { ofRows, ofRollup } = selectGroups(aggregation, request)
  const listing = toListing(aggregation, request)
  // The filter is about the rows that were grouped, not about the groups.
  const page = { ...request, filter: undefined, orderBy: orderName(request) }
  const read = (from: RawBuilder<unknown>) => readPageFrom<GroupRow<A>>(snapshot, from, listing, page)
  const readRows = async () => {
    await refuseWideGroups(snapshot, ofRows, aggregation)
    return read(ofRows)
  }
  const groups = await (ofRollup ? read(ofRollup) : readRows())
  let full = ofRollup ? undefined : Promise.resolve(groups)
  const extremesAt = async (index: number, amount: string) => {
    full ??= readRows()
    const row = (await full).items[index]
    if (!row) throw new Error(`a rollup of ${aggregation.source.table} has a group that the table has not`)
    return { min: amountOf(row, minOf(amount)), max: amountOf(row, maxOf(amount)) }
  }
  const items = groups.items.map((row, index) => ({
    ...row,
    sum: (amount: string) => amountOf(row, sumOf(amount)),
    extremes: (amount: string) => extremesAt(index, amount),
  }))
  return { ...groups, items }
}

function amountOf(row: object, name: string): bigint {
  const amount: unknown = Reflect.get(row, name)
  if (typeof amount !== 'bigint') throw new Error(`a group has no ${name}`)
  return amount
}

/** How many groups there are. @throws as `readGroups` */
export async function countGroups<T extends Table, A extends Aggregation<T>>(
  snapshot: Snapshot,
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
): Promise<number> {
  const { ofRows, ofRollup } = selectGroups(aggregation, request)
  if (!ofRollup) await refuseWideGroups(snapshot, ofRows, aggregation)
  const groups = sql<{ count: bigint }>`select count(*) from ${ofRollup ?? ofRows}`
  const { rows } = await groups.execute(snapshot.db)
  return Number(rows[0]?.count ?? 0n)
}

/** The groups as SQL: a page of them, the columns of a group, and how many groups there are. */
export type GroupsSql = {
  readonly page: PageSql
  readonly names: readonly string[]
  readonly count: RawBuilder<unknown>
  /** Whether rows are added up, not totals. */
  readonly isOfRows: boolean
}

/**
 * Undefined where no rollup covers the request, and its filter does not bound the rows either: then they must be bounded first.
 *
 * @throws as `readGroups`
 */
export function toGroupsSql<T extends Table, A extends Aggregation<T>>(
  aggregation: Aggregation<T> & A,
  request: GroupRequest<A>,
): GroupsSql | undefined {
  const { ofRollup, ofParent } = selectGroups(aggregation, request)
  const groups = ofRollup ?? ofParent
  if (!groups) return undefined
  const page = { ...request, filter: undefined, orderBy: orderName(request) }
  return {
    page: toPageSqlFrom(groups, toListing(aggregation, request), page),
    names: [...keyNames(request), 'count', ...aggregation.amounts.map(sumOf)],
    count: sql`(select count(*) from ${groups})`,
    isOfRows: !ofRollup,
  }
}

function refuseWideGroups(
  snapshot: Snapshot,
  ofRows: RawBuilder<unknown>,
  { narrowBy }: { narrowBy: string },
) {
  return refuseWide(snapshot, ofRows, {
    subject: 'The aggregate',
    advice: `Narrow its filter by ${narrowBy}.`,
  })
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

/** The groups of the table's rows; those of a rollup that covers the request; those of the rows of one parent, for a statement that has the row `state`. */
function selectGroups<T extends Table>(aggregation: Aggregation<T>, request: AnyRequest) {
  const { amounts, source, rollups } = aggregation
  const filter = request.filter ?? { and: [] }
  const key = keyNames(request).map((name) => ({ name, ...dimension(aggregation, name) }))
  const measures = amounts.flatMap((amount) => [
    measure('sum', amount, sumOf(amount)),
    measure('min', amount, minOf(amount)),
    measure('max', amount, maxOf(amount)),
  ])
  const groupRows = (where: RawBuilder<SqlBool>) =>
    group(source.table, where, key, [sql`count(*) as count`, ...measures])
  const [ofRollup] = rollups.flatMap((rollup) => groupRollup(rollup, filter, key) ?? [])
  const bounded = boundByParent(source, filter)
  return { ofRows: groupRows(toSql(filter)), ofRollup, ofParent: bounded && groupRows(bounded) }
}

/** The same for a rollup; undefined where it does not cover the request. */
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
  return group(rollup.table, toSql(translated), known, measures, sql`having sum(${ref(rollup.count)}) > 0`)
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
const minOf = (amount: string) => `${amount}Min`
const maxOf = (amount: string) => `${amount}Max`
