import { sql } from 'kysely'
import { type CodedError, validationFailed } from '../../../errors.ts'
import { columnOf, type Sql } from '../../../projection/sql/json.ts'
import type { Period } from '../../../projection/sql/period.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import {
  type Days,
  daysOf,
  issuerSeries,
  POINTS_DEFAULT,
  type SeriesRequest,
  type SeriesSource,
  seriesOf,
  tokenSeries,
  vaultSeries,
} from '../../../projection/sql/series.ts'
import type { Table } from '../../../projection/sql/source.ts'
import { DUE_FIGURES, type DueKey, duesOf } from '../../../projection/tables/dues.ts'
import { LINE_FIGURES, linesOf, sharesAt } from '../../../projection/tables/vault-value.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading, type Writer } from '../../kit/declared-read.ts'
import { Issuer, Vault } from '../shared/refs.ts'
import { IssuerPeriod, MarketPeriod, VaultPeriod } from './series-periods.ts'

const PeriodType = builder.enumType('Period', {
  description: 'Length of the periods of a series, in UTC.',
  values: {
    day: { description: 'The period starts at midnight.' },
    week: { description: 'The period starts on Monday (ISO 8601).' },
    month: { description: 'The period starts on the first day of the month.' },
  } satisfies Record<Period, object>,
})

const seriesArgs = builder.args((t) => ({
  period: t.field({
    type: PeriodType,
    required: true,
    defaultValue: 'day',
    description: 'Length of a period.',
  }),
  from: t.field({
    type: 'DateTime',
    description: `Start: the series begins with the period that contains this time. Default: the last ${POINTS_DEFAULT} periods.`,
  }),
  to: t.field({
    type: 'DateTime',
    description:
      'End, exclusive: the series ends with the last period that begins before this time. Default and maximum: the current period.',
  }),
}))

type Args = { period: Period; from?: bigint | null | undefined; to?: bigint | null | undefined }

/** Maximum number of periods of one series: more than a year of days. */
const POINTS_MAX = 400
/** No period of its kind is shorter. */
const SECONDS_MIN: Record<Period, bigint> = { day: 86_400n, week: 604_800n, month: 2_419_200n }

/** How many periods there can be at most. */
function pointsBetween(period: Period, from: bigint, to: bigint): number {
  return to <= from ? 0 : Number((to - from) / SECONDS_MIN[period]) + 2
}

/** Each period costs what is selected of it; of a series without an end the length is not known before it is read. */
function seriesCost({ period, from, to }: Args) {
  if (from == null) return { field: SERIES_COST, multiplier: POINTS_DEFAULT }
  const points = to == null ? POINTS_MAX : Math.min(pointsBetween(period, from, to), POINTS_MAX)
  return { field: SERIES_COST, multiplier: points }
}

/** Cost of the sums before the series, for its stocks. */
const SERIES_COST = 50
/** Cost of these sums over all vaults and issuers. */
const MARKET_SERIES_COST = 2000

/**
 * Periods whose end can depend on the block. A series without an end is bounded when it is read.
 *
 * @throws CodedError `VALIDATION_FAILED` for a range that is empty or too long
 */
function toSeriesRequest({ period, from, to }: Args, { now }: Scope, { failure }: Writer): SeriesRequest {
  const last = to == null ? now : sql`least(${to - 1n}::numeric, ${now})`
  if (from == null) return { period, last }
  if (to != null && to <= from) throw validationFailed([{ path: 'from', message: 'must be before to' }])
  const start = sql`${from}::numeric`
  const points = sql`div(${last} - ${start}, ${sql.lit(Number(SECONDS_MIN[period]))}) + 2`
  const refusal = failure(() => tooLong())
  const bounded = sql`case when ${points} > ${sql.lit(POINTS_MAX)} then (${refusal})::numeric else ${start} end`
  return { period, from: bounded, last }
}

function tooLong(): CodedError {
  const message = `must be at most ${POINTS_MAX - 2} periods before to; or choose a longer period`
  return validationFailed([{ path: 'from', message }])
}

/** The owner of a series, and the token of its amounts. */
type Owner = { readonly by: DueKey; readonly key: Sql; readonly token: Sql }

/** The periods of a series, joined with the dues and the shares of a vault where a field uses them. */
function seriesRelation<T extends Table>(
  source: SeriesSource<T>,
  { by, key, token }: Owner,
  args: Args,
  scope: Scope,
  writer: Writer,
): Relation {
  const request = toSeriesRequest(args, scope, writer)
  const ofToken = by === 'issuer' ? token : undefined
  const isOf = (columns: readonly string[]) => (name: string) => columns.includes(name)
  const [isDue, isLine] = [isOf(DUE_FIGURES), isOf(LINE_FIGURES)]
  const join = (relation: Sql, alias: string, on: Sql) =>
    sql`join lateral ${relation} as ${sql.raw(alias)} on ${on}`
  return {
    from: (row, uses) => {
      const used = [...uses]
      const joinDays = (days: Days, alias: string) =>
        join(seriesOf(days, request), alias, sql`${columnOf(alias, 'start')} = ${columnOf(row, 'start')}`)
      return sql`from ${seriesOf(daysOf(source, key, ofToken), request)} as ${sql.raw(row)}
        ${used.some(isDue) ? joinDays(duesOf(by, key, scope.now, ofToken), `${row}d`) : sql``}
        ${used.some(isLine) ? joinDays(linesOf(key, scope.now), `${row}l`) : sql``}
        ${uses.has('totalShares') ? join(sharesAt(key, columnOf(row, 'end')), `${row}s`, sql`true`) : sql``}`
    },
    scopeOf: (row) => ({
      ...tupleScope(row),
      column: (name) => {
        if (name === 'token') return token
        if (isDue(name)) return columnOf(`${row}d`, name)
        if (isLine(name)) return columnOf(`${row}l`, name)
        return columnOf(name === 'totalShares' ? `${row}s` : row, name)
      },
    }),
    orderBy: 'start',
  }
}

builder.queryField('marketSeries', (t) =>
  t.field({
    type: [MarketPeriod],
    description: 'The whole market in one token by day, week or month, earliest first, without gaps.',
    args: {
      token: t.arg({
        type: 'Address',
        required: true,
        description: 'Token of the amounts. Amounts of different tokens are never added.',
      }),
      ...seriesArgs,
    },
    complexity: (args) => ({ ...seriesCost(args), field: MARKET_SERIES_COST }),
    ...reading<Args & { token: string }>({
      kind: 'relation',
      relation: (root, { token, ...args }, writer) => {
        const key = sql`${token}::text`
        return seriesRelation(tokenSeries, { by: 'token', key, token: key }, args, root, writer)
      },
    }),
  }),
)

builder.objectField(Vault, 'series', (t) =>
  t.field({
    type: [VaultPeriod],
    description: 'Figures of the vault by day, week or month, earliest first, without gaps.',
    args: seriesArgs,
    complexity: seriesCost,
    ...reading<Args>({
      kind: 'relation',
      relation: (vault, args, writer) => {
        const owner = { by: 'vault', key: vault.column('address'), token: vault.column('token') } as const
        return seriesRelation(vaultSeries, owner, args, vault, writer)
      },
    }),
  }),
)

builder.objectField(Issuer, 'series', (t) =>
  t.field({
    type: [IssuerPeriod],
    description: 'Claims of the issuer in one token by day, week or month, earliest first, without gaps.',
    args: {
      token: t.arg({
        type: 'Address',
        required: true,
        description: 'Token of the amounts. Amounts of different tokens are never added.',
      }),
      ...seriesArgs,
    },
    complexity: seriesCost,
    ...reading<Args & { token: string }>({
      kind: 'relation',
      relation: (issuer, { token, ...args }, writer) => {
        const owner = { by: 'issuer', key: issuer.column('address'), token: sql`${token}::text` } as const
        return seriesRelation(issuerSeries, owner, args, issuer, writer)
      },
    }),
  }),
)
