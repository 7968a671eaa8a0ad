import { sql } from 'kysely'
import { columnOf, type Sql } from '../../../projection/sql/json.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import { seriesOf } from '../../../projection/sql/series.ts'
import { daysOfPosition, POSITION_FIGURES, positionFiguresAt } from '../../../projection/tables/position.ts'
import { LINE_FIGURES, linesOf, vaultFiguresAt } from '../../../projection/tables/vault-value.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading, type Writer } from '../../kit/declared-read.ts'
import { computed } from '../../kit/reads.ts'
import { AT_END, atEnd } from '../market/series-periods.ts'
import { type SeriesArgs, seriesArgs, seriesCost, toSeriesRequest } from '../market/series-request.ts'
import { VaultPosition } from '../shared/refs.ts'
import { assetsSql } from './vault-sql.ts'

type Point = {
  readonly [Name in
    | 'start'
    | 'deposited'
    | 'withdrawn'
    | 'received'
    | 'sent'
    | 'shares'
    | 'costBasis']: bigint
}

/** Value of the shares at the end of the period. */
function assetsAtEnd(period: Scope): Sql {
  return assetsSql(atEnd(period), period.column('shares'))
}

const PositionPeriod = builder.objectRef<Point>('PositionPeriod').implement({
  description: 'One position in one period.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'Start of the period, inclusive.' }),
    deposited: t.expose('deposited', {
      type: 'AmountSum',
      description: 'Assets deposited for the wallet, base units.',
    }),
    withdrawn: t.expose('withdrawn', {
      type: 'AmountSum',
      description: 'Assets withdrawn from the position, base units.',
    }),
    received: t.expose('received', {
      type: 'AmountSum',
      description: 'Cost of shares that other wallets transferred to this one, base units.',
    }),
    sent: t.expose('sent', {
      type: 'AmountSum',
      description: 'Cost of shares that the wallet transferred to others, base units.',
    }),
    shares: t.expose('shares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Shares at the end of the period, base units of the share.',
    }),
    costBasis: t.expose('costBasis', {
      type: 'AmountSum',
      description: 'Cost of the shares at the end of the period, base units.',
    }),
    assets: t.field({
      type: 'AmountSum',
      description: `Value of the shares, base units, ${AT_END}`,
      ...computed(assetsAtEnd),
    }),
    realizedGainToDate: t.field({
      type: 'SignedAmount',
      description:
        'Realized gain from the first event of the position to the end of the period, base units. Negative after losses.',
      ...computed((period) => sql`${period.column('proceedsToDate')} + ${period.column('costBasis')}`),
    }),
    unrealizedGain: t.field({
      type: 'SignedAmount',
      description: '`assets` less `costBasis`, base units. Negative after losses.',
      ...computed((period) => sql`${assetsAtEnd(period)} - ${period.column('costBasis')}`),
    }),
  }),
})

const VAULT_FIGURES = ['idleAssets', 'outstandingAdvance', 'totalShares'] as const

/** The periods of a position, joined with its shares, and with the figures of its vault where a field uses them. */
function positionPeriods(position: Scope, args: SeriesArgs, writer: Writer): Relation {
  const request = toSeriesRequest(args, position, writer)
  const key = { vault: position.column('vault'), owner: position.column('owner') }
  const relations: readonly [suffix: string, columns: readonly string[]][] = [
    ['p', POSITION_FIGURES],
    ['v', VAULT_FIGURES],
    ['l', LINE_FIGURES],
  ]
  return {
    from: (row, uses) => {
      const isUsed = (columns: readonly string[]) => columns.some((column) => uses.has(column))
      const join = (columns: readonly string[], relation: Sql, alias: string, on = sql`true`) =>
        isUsed(columns) ? sql`join lateral ${relation} as ${sql.raw(alias)} on ${on}` : sql``
      const end = columnOf(row, 'end')
      const sameStart = sql`${columnOf(`${row}l`, 'start')} = ${columnOf(row, 'start')}`
      return sql`from ${seriesOf(daysOfPosition(key), request)} as ${sql.raw(row)}
        ${join(POSITION_FIGURES, positionFiguresAt(key, end), `${row}p`)}
        ${join(VAULT_FIGURES, vaultFiguresAt(key.vault, VAULT_FIGURES, end), `${row}v`)}
        ${join(LINE_FIGURES, seriesOf(linesOf(key.vault, position.now), request), `${row}l`, sameStart)}`
    },
    scopeOf: (row) => ({
      ...tupleScope(row),
      column: (name) => {
        const [suffix = ''] = relations.find(([, columns]) => columns.includes(name)) ?? []
        return columnOf(`${row}${suffix}`, name)
      },
    }),
    orderBy: 'start',
  }
}

builder.objectField(VaultPosition, 'series', (t) =>
  t.field({
    type: [PositionPeriod],
    description: 'The position by day, week or month, earliest first, without gaps.',
    args: seriesArgs,
    complexity: seriesCost,
    ...reading<SeriesArgs>({
      kind: 'relation',
      relation: (position, args, writer) => positionPeriods(position, args, writer),
    }),
  }),
)
