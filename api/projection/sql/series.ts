/**
 * Figures per period, without gaps, from the daily figures of the indexer. A flow is the sum within the period, 0
 * without events. A stock is the value at its end, also without events: all increases until then less all decreases.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sql } from './json.ts'
import { type Period, periodStart, toUnixSeconds, truncated } from './period.ts'
import { type Column, ref, type Table, view } from './source.ts'

/** Default number of periods of a series. */
export const POINTS_DEFAULT = 30

/**
 * Whole periods: those that begin with the one of `from`, or the last 30, and end with the one of `last`. Unix seconds.
 */
export type SeriesRequest = { readonly period: Period; readonly from?: Sql | undefined; readonly last: Sql }

export type SeriesSource<T extends Table> = {
  readonly table: T
  /** Whose figures they are. */
  readonly key: Column<T>
  /** All that the stocks consist of, too. */
  readonly flows: readonly Column<T>[]
  /** Flows that add to a stock, and flows that take from it. */
  readonly stocks: { readonly [stock: string]: { in: readonly Column<T>[]; out: readonly Column<T>[] } }
}

const outstanding = {
  outstandingFace: { in: ['faceFinanced'], out: ['faceRepaid'] },
  // A repayment pays the face: its advance, and the discount as gain.
  outstandingAdvance: { in: ['advanced', 'discountEarned'], out: ['faceRepaid'] },
} as const
const capital = {
  ...outstanding,
  idleAssets: { in: ['deposited', 'faceRepaid'], out: ['withdrawn', 'advanced'] },
  discountEarnedToDate: { in: ['discountEarned'], out: [] },
} as const

const financing = ['faceFinanced', 'advanced', 'faceRepaid', 'discountEarned'] as const
const registering = ['claimsRegistered', 'faceRegistered', 'settlements', 'faceSettled'] as const

export const tokenSeries = {
  table: 'tokenDay',
  key: 'token',
  flows: [...financing, ...registering, 'executions', 'deposited', 'withdrawn'],
  stocks: capital,
} as const satisfies SeriesSource<'tokenDay'>

export const vaultSeries = {
  table: 'vaultDay',
  key: 'vault',
  flows: [...financing, 'allocations', 'deposited', 'withdrawn'],
  stocks: capital,
} as const satisfies SeriesSource<'vaultDay'>

export const issuerSeries = {
  table: 'issuerDay',
  key: 'issuer',
  flows: [...financing, ...registering, 'allocations'],
  stocks: outstanding,
} as const satisfies SeriesSource<'issuerDay'>

/** One period, by its first second. */
export type Point<S extends { flows: readonly string[]; stocks: object }> = {
  readonly [Name in 'start' | S['flows'][number] | (keyof S['stocks'] & string)]: bigint
}

/**
 * The daily figures of one owner: a relation with the columns `day` and those of the figures, and the condition on its
 * rows.
 */
export type Days = {
  readonly from: Sql
  readonly where: RawBuilder<SqlBool>
  readonly flows: readonly string[]
  readonly stocks: { readonly [stock: string]: Moves }
}

/** Selects the daily figures of a source. @param token only figures in this token, for sources with several tokens */
export function daysOf<T extends Table>(source: SeriesSource<T>, key: Sql, token?: Sql): Days {
  const ofToken = token ? sql` and token = ${token}` : sql``
  return { ...source, from: view(source.table), where: sql<SqlBool>`${ref(source.key)} = ${key}${ofToken}` }
}

/** Writes a relation of the periods: `start` and `end`, in Unix seconds, and each figure. */
export function seriesOf({ from, where, flows, stocks }: Days, request: SeriesRequest): Sql {
  const { start, end, points } = periodsOf(request)
  const moved = Object.entries(stocks)
  const sums = flows.map((flow) => sql`sum(${ref(flow)}) as ${ref(flow)}`)
  return sql`(
    with point as ${points}, figures as (
      select ${periodStart(request.period, ref('day'))} as start, ${sql.join(sums)}
      from ${from} where ${where} and day >= ${start} and day < ${end} group by 1
    ), opening as (
      select ${sql.join(stocksOf(stocks))} from ${from} where ${where} and day < ${start}
    )
    select point.start, point.end, ${sql.join([...flows.map(orNothing), ...moved.map(atEnd)])}
    from point left join figures on figures.start = point.start cross join opening
    window so_far as (order by point.start)
  )`
}

/** Writes the stocks of all days, as columns of an aggregate. */
export function stocksOf(stocks: Days['stocks']): Sql[] {
  return Object.entries(stocks).map(
    ([stock, moves]) => sql`coalesce(sum(${netOf(moves)}), 0) as ${ref(stock)}`,
  )
}

/**
 * Writes a relation of one row: columns of daily figures as they are after all events before `end`, Unix seconds; 0
 * before the first. @param where the condition on the days, which have the name `own`
 */
export function figuresAt<T extends Table>(
  table: T,
  where: RawBuilder<SqlBool>,
  columns: readonly Column<T>[],
  end: Sql,
): Sql {
  const last = columns.map((column) => sql`coalesce(max(${ref(column)}), 0) as ${ref(column)}`)
  return sql`(
    select ${sql.join(last)} from (
      select ${sql.join(columns.map((column) => ref(column)))} from ${view(table)} as own
      where ${where} and own.day < ${end} order by own.day desc limit 1
    ) as last
  )`
}

/**
 * The first second of a request's periods, that after the last, and a statement with the `start` and `end` of each.
 * Unix seconds.
 */
function periodsOf({ period, from, last }: SeriesRequest) {
  const step = sql`interval ${sql.lit(`1 ${period}`)}`
  const final = truncated(period, last)
  const first =
    from === undefined ? sql`${final} - ${sql.lit(POINTS_DEFAULT - 1)} * ${step}` : truncated(period, from)
  const points = sql`(
    select ${toUnixSeconds(sql`at`)} as start, ${toUnixSeconds(sql`at + ${step}`)} as end
    from generate_series(${first}, ${final}, ${step}) as at
  )`
  return { start: toUnixSeconds(first), end: toUnixSeconds(sql`${final} + ${step}`), points }
}

type Moves = { readonly in: readonly string[]; readonly out: readonly string[] }

function netOf(moves: Moves): Sql {
  const total = (flows: readonly string[]) =>
    sql.join(
      flows.map((flow) => ref(flow)),
      sql` + `,
    )
  return moves.out.length === 0 ? total(moves.in) : sql`(${total(moves.in)}) - (${total(moves.out)})`
}

function orNothing(flow: string): Sql {
  return sql`coalesce(${ref(`figures.${flow}`)}, 0) as ${ref(flow)}`
}

function atEnd([stock, moves]: [string, Moves]): Sql {
  const moved = sql`sum(coalesce(${netOf(moves)}, 0)) over so_far`
  return sql`${ref(`opening.${stock}`)} + ${moved} as ${ref(stock)}`
}
