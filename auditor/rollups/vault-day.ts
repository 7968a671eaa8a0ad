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

/**
 * Sums of a vault's changes of capital and of its allocations on a day, and the figures after the day's last change.
 */
export const vaultDay: Rollup = {
  name: 'vaultDay',
  key: ['vault', 'day'],
  isDaily: true,
  figures: ['token', ...FLOWS, ...STOCKS],
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
    return sql`select * from (${flows}) as flow left join (${last}) as last using (vault, day)`
  },
}
