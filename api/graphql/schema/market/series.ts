import { sql } from 'kysely'
import { columnOf, type Sql } from '../../../projection/sql/json.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import {
  type Days,
  daysOf,
  issuerSeries,
  type SeriesSource,
  seriesOf,
  tokenSeries,
  vaultSeries,
} from '../../../projection/sql/series.ts'
import type { Table } from '../../../projection/sql/source.ts'
import { DUE_FIGURES, type DueKey, duesOf } from '../../../projection/tables/dues.ts'
import { LINE_FIGURES, linesOf, vaultFiguresAt } from '../../../projection/tables/vault-value.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading, type Writer } from '../../kit/declared-read.ts'
import { Issuer, Vault } from '../shared/refs.ts'
import { IssuerPeriod, MarketPeriod, VaultPeriod } from './series-periods.ts'
import { type SeriesArgs, seriesArgs, seriesCost, toSeriesRequest } from './series-request.ts'

/** Cost of these sums over all vaults and issuers. */
const MARKET_SERIES_COST = 2000

/** The owner of a series, and the token of its amounts. */
type Owner = { readonly by: DueKey; readonly key: Sql; readonly token: Sql }

/** The periods of a series, joined with the dues and the shares of a vault where a field uses them. */
function seriesRelation<T extends Table>(
  source: SeriesSource<T>,
  { by, key, token }: Owner,
  args: SeriesArgs,
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
        ${uses.has('totalShares') ? join(vaultFiguresAt(key, ['totalShares'], columnOf(row, 'end')), `${row}s`, sql`true`) : sql``}`
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
    ...reading<SeriesArgs & { token: string }>({
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
    ...reading<SeriesArgs>({
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
    ...reading<SeriesArgs & { token: string }>({
      kind: 'relation',
      relation: (issuer, { token, ...args }, writer) => {
        const owner = { by: 'issuer', key: issuer.column('address'), token: sql`${token}::text` } as const
        return seriesRelation(issuerSeries, owner, args, issuer, writer)
      },
    }),
  }),
)
