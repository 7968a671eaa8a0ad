import { sql } from 'kysely'
import { addUp, capitalChanges, column, DEPOSITED_AND_WITHDRAWN, ONE, REPAID } from './additions.ts'
import { dayOf, type Rollup, within } from './rollup.ts'

const FLOWS = [
  'allocations',
  'faceFinanced',
  'advanced',
  ...Object.keys(DEPOSITED_AND_WITHDRAWN),
  ...Object.keys(REPAID),
]
const STOCKS = ['idleAssets', 'outstandingFace', 'outstandingAdvance', 'totalShares']
const LINES = ['gainPerSecond', 'gainOffset', 'lossPerSecond', 'lossOffset']

/**
 * Sums of a vault's changes of capital and of its allocations on a day, the figures after the day's last change, and
 * the sums of the lines of value through the day.
 */
export const vaultDay: Rollup = {
  name: 'vaultDay',
  key: ['vault', 'day'],
  figures: ['token', ...FLOWS, ...STOCKS, ...LINES],
  expected: (tables, days) => {
    const flows = addUp(
      ['vault'],
      FLOWS,
      [
        { from: tables('allocation'), at: 'fundedAt', adds: { faceFinanced: column('faceAmount') } },
        {
          from: capitalChanges(tables, days),
          at: 'at',
          adds: {
            allocations: sql`case kind when 'FUNDING' then ${ONE} else 0 end`,
            advanced: sql`case kind when 'FUNDING' then amount else 0 end`,
            ...DEPOSITED_AND_WITHDRAWN,
            ...REPAID,
          },
        },
      ],
      days,
    )
    const last = sql`
      select distinct on (vault, day) vault, ${dayOf('at')} as day, token, ${sql.join(STOCKS.map(column))}
      from ${capitalChanges(tables, days)} where ${within('at', days)} order by vault, day, id desc`
    const lines = sql`
      select ${sql.join(LINES.map((line) => sql`coalesce(sum(own.${column(line)}), 0) as ${column(line)}`))}
      from ${tables('valueDay')} as own where own.vault = flow.vault and own.day <= flow.day`
    return sql`select * from (${flows}) as flow left join (${last}) as last using (vault, day) cross join lateral (${lines}) as value`
  },
}
