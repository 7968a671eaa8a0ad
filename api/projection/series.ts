/**
 * Figures per period, without gaps, from the daily figures of the indexer. A flow is the sum within the period, 0 without
 * events. A stock is the value at its end, also without events: all increases until then less all decreases.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { UnixSeconds } from '../domain/time.ts'
import { groupBy } from './keys.ts'
import { whereAll } from './page.ts'
import { type Period, periodStart, toTimestamp, toUnixSeconds } from './period.ts'
import type { Snapshot } from './snapshot.ts'
import { type Column, ref, type Table, view } from './source.ts'

/** Default number of periods of a series. */
export const POINTS_DEFAULT = 30

/** Whole periods: those that begin with the one of `from`, or the last 30, and end with the one of `last`. */
export type SeriesRequest = {
  readonly period: Period
  readonly from?: UnixSeconds | undefined
  readonly last: UnixSeconds
}

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
  // What is repaid is the face: its advance, and the discount as gain.
  outstandingAdvance: { in: ['advanced', 'discountEarned'], out: ['faceRepaid'] },
} as const
const impaired = {
  outstandingImpairment: { in: ['impaired'], out: ['recovered'] },
  impairedFace: { in: ['faceImpaired'], out: ['faceRecovered'] },
} as const
const capital = {
  ...outstanding,
  ...impaired,
  idleAssets: { in: ['deposited', 'faceRepaid'], out: ['withdrawn', 'advanced'] },
  discountEarnedToDate: { in: ['discountEarned'], out: [] },
} as const

const financing = [
  'faceFinanced',
  'advanced',
  'faceRepaid',
  'discountEarned',
  'faceImpaired',
  'impaired',
  'faceRecovered',
  'recovered',
] as const
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
  stocks: { ...outstanding, ...impaired },
} as const satisfies SeriesSource<'issuerDay'>

/** One period, by its first second. */
export type Point<S extends { flows: readonly string[]; stocks: object }> = {
  readonly [Name in 'start' | S['flows'][number] | (keyof S['stocks'] & string)]: bigint
}

/**
 * The series of each key, in the order of the keys, in one statement.
 *
 * @param token only figures in this token, for sources with several tokens
 */
export function readSeries<T extends Table, S extends SeriesSource<T>>(
  snapshot: Snapshot,
  source: SeriesSource<T> & S,
  keys: readonly string[],
  request: SeriesRequest,
  token?: string,
): Promise<(readonly Point<S>[])[]> {
  return readRowsSeries(snapshot, { ...source, from: view(source.table) }, keys, request, token)
}

/** Daily figures: a table, or a statement with the columns `token`, `day`, and those of key and figures. */
type Rows = {
  readonly from: RawBuilder<unknown>
  readonly key: string
  readonly flows: readonly string[]
  readonly stocks: { readonly [stock: string]: Moves }
}

/** As `readSeries`, of any rows. */
export async function readRowsSeries<S extends Rows>(
  { db }: Snapshot,
  source: S,
  keys: readonly string[],
  request: SeriesRequest,
  token?: string,
): Promise<(readonly Point<S>[])[]> {
  const { period } = request
  const { start, end, points } = periodsOf(request)
  const key = sql`${ref(source.key)} as key`
  const daysOf = (...bounds: RawBuilder<SqlBool>[]) => {
    const ofKeys = sql<SqlBool>`${ref(source.key)} = any(${[...keys]}::text[])`
    const ofToken = token === undefined ? [] : [sql<SqlBool>`token = ${token}`]
    return sql`from ${source.from} ${whereAll([ofKeys, ...ofToken, ...bounds])}`
  }
  const flows = source.flows.map((flow) => sql`sum(${ref(flow)}) as ${ref(flow)}`)
  const stocks = Object.entries(source.stocks)
  const before = stocks.map(([stock, moves]) => sql`sum(${netOf(moves)}) as ${ref(stock)}`)
  const { rows } = await sql<Point<S> & { key: string }>`
    with point as ${points}, figures as (
      select ${key}, ${periodStart(period, ref('day'))} as start, ${sql.join(flows)}
      ${daysOf(sql`day >= ${start}`, sql`day < ${end}`)} group by 1, 2
    ), opening as (
      select ${key}, ${sql.join(before)} ${daysOf(sql`day < ${start}`)} group by 1
    )
    select parent.key, point.start, ${sql.join([...source.flows.map(orNothing), ...stocks.map(atEnd)])}
    from unnest(${[...keys]}::text[]) as parent (key) cross join point
    left join figures on figures.key = parent.key and figures.start = point.start
    left join opening on opening.key = parent.key
    window so_far as (partition by parent.key order by point.start)
    order by point.start`.execute(db)
  const byKey = groupBy(rows, 'key')
  return keys.map((of) => byKey.get(of) ?? [])
}

/** The first second of a request's periods, that after the last, and a statement with the `start` and `end` of each. Unix seconds. */
export function periodsOf({ period, from, last }: SeriesRequest) {
  const step = sql`interval ${sql.lit(`1 ${period}`)}`
  const final = truncated(period, last)
  const first = from === undefined ? sql`${final} - ${POINTS_DEFAULT - 1} * ${step}` : truncated(period, from)
  const points = sql`(
    select ${toUnixSeconds(sql`at`)} as start, ${toUnixSeconds(sql`at + ${step}`)} as end
    from generate_series(${first}, ${final}, ${step}) as at
  )`
  return { start: toUnixSeconds(first), end: toUnixSeconds(sql`${final} + ${step}`), points }
}

function truncated(period: Period, at: UnixSeconds): RawBuilder<unknown> {
  return sql`date_trunc(${sql.lit(period)}, ${toTimestamp(sql`${at}::numeric`)})`
}

type Moves = { readonly in: readonly string[]; readonly out: readonly string[] }

function netOf(moves: Moves): RawBuilder<unknown> {
  const total = (flows: readonly string[]) =>
    sql.join(
      flows.map((flow) => ref(flow)),
      sql` + `,
    )
  return moves.out.length === 0 ? total(moves.in) : sql`(${total(moves.in)}) - (${total(moves.out)})`
}

function orNothing(flow: string): RawBuilder<unknown> {
  return sql`coalesce(${ref(`figures.${flow}`)}, 0) as ${ref(flow)}`
}

function atEnd([stock, moves]: [string, Moves]): RawBuilder<unknown> {
  const moved = sql`sum(coalesce(${netOf(moves)}, 0)) over so_far`
  return sql`coalesce(${ref(`opening.${stock}`)}, 0) + ${moved} as ${ref(stock)}`
}
