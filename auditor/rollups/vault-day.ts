import { sql } from 'kysely'
import { addUp, capitalChanges, column, ONE, repaid } from './additions.ts'
import { dayOf, type Rollup, within } from './rollup.ts'

const FLOWS = [
  'allocations',
  'deposited',
  'withdrawn',
  'faceFinanced',
  'advanced',
  'faceRepaid',
  'discountEarned',
]
const STOCKS = ['idleAssets', 'outstandingFace', 'outstandingAdvance']

/** Sums of a vault's changes of capital and of its allocations on a day, and the figures after the day's last change. */
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
        { from: repaid(tables), at: 'at', adds: { discountEarned: sql`face_amount - advance_amount` } },
        {
          from: capitalChanges(tables, days),
          at: 'at',
          adds: {
            allocations: sql`case kind when 'FUNDING' then ${ONE} else 0 end`,
            advanced: sql`case kind when 'FUNDING' then amount else 0 end`,
            deposited: sql`case kind when 'DEPOSIT' then amount else 0 end`,
            withdrawn: sql`case kind when 'WITHDRAWAL' then amount else 0 end`,
            faceRepaid: sql`case kind when 'REPAYMENT' then amount else 0 end`,
          },
        },
      ],
      days,
    )
    const last = sql`
      select distinct on (vault, day) vault, ${dayOf('at')} as day, token, idle_assets, outstanding_face, outstanding_advance
      from ${capitalChanges(tables, days)} where ${within('at', days)} order by vault, day, id desc`
    return sql`select * from (${flows}) as flow left join (${last}) as last using (vault, day)`
  },
}
