import { type RawBuilder, sql } from 'kysely'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import type { PositionChangeKind } from '../../ponder.schema.ts'
import { addUp } from './additions.ts'
import { type Days, dayOf, type Rollup, type Tables, within } from './rollup.ts'

const KINDS = {
  deposited: 'DEPOSIT',
  withdrawn: 'WITHDRAWAL',
  received: 'RECEIVED',
  sent: 'SENT',
} as const satisfies Record<string, PositionChangeKind>
const FLOWS = Object.keys(KINDS)

/** Sums of the changes of a position on a day, and its shares and their cost after the day's last change. */
export const positionDay: Rollup = {
  name: 'positionDay',
  key: ['vault', 'owner', 'day'],
  figures: [...FLOWS, 'shares', 'costBasis'],
  expected: (tables, days) => {
    const from = changesOf(tables, days)
    const adds = Object.fromEntries(
      Object.entries(KINDS).map(([flow, kind]) => [
        flow,
        sql`case kind when ${sql.lit(kind)} then assets else 0 end`,
      ]),
    )
    const flows = addUp(['vault', 'owner'], FLOWS, [{ from, at: 'at', adds }], days)
    const last = sql`
      select distinct on (vault, owner, day) vault, owner, ${dayOf('at')} as day, shares_after as shares, cost_basis_after as cost_basis
      from ${from} where ${within('at', days)} order by vault, owner, day, id desc`
    return sql`select * from (${flows}) as flow left join (${last}) as last using (vault, owner, day)`
  },
}

/** Changes of positions. Ids are in the order of blocks and have an index; times have none. */
function changesOf(tables: Tables, days: Days | undefined): RawBuilder<unknown> {
  const start = days ? sql`where id >= ${firstOrdinalOf(days.firstBlock)}` : sql``
  return sql`(select * from ${tables('positionChange')} ${start}) as change`
}
