/** Daily figures as sums over rows. */
import { type RawBuilder, sql } from 'kysely'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import type { CapitalChangeKind } from '../../ponder.schema.ts'
import { type Days, dayOf, type Tables, within } from './rollup.ts'

/** Rows that add to the figures of their day, and for each figure the expression that a row adds. */
export type Addition = {
  from: RawBuilder<unknown>
  /** Column of the time. */
  at: string
  where?: RawBuilder<unknown>
  adds: Readonly<Record<string, RawBuilder<unknown>>>
}

export const ONE: RawBuilder<unknown> = sql`1`

export const column = (name: string): RawBuilder<unknown> => sql.ref(name)

/** The sums of all additions by key and day. Keys are columns of each addition's rows. */
export function addUp(
  keys: readonly string[],
  figures: readonly string[],
  additions: readonly Addition[],
  days: Days | undefined,
): RawBuilder<unknown> {
  const parts = additions.map(
    ({ from, at, where = sql`true`, adds }) => sql`
      select ${sql.join(keys.map(column))}, ${dayOf(at)} as day,
        ${sql.join(figures.map((figure) => sql`${adds[figure] ?? sql`0`}::numeric as ${column(figure)}`))}
      from ${from} where ${within(at, days)} and ${where}`,
  )
  const sums = figures.map((figure) => sql`sum(${column(figure)}) as ${column(figure)}`)
  const group = sql.join([...keys, 'day'].map(column))
  return sql`
    select ${group}, ${sql.join(sums)}
    from (${sql.join(parts, sql` union all `)}) as addition group by ${group}`
}

/** Changes of capital with their vault's token and, for those of a slice, the claim's issuer. */
export function capitalChanges(tables: Tables, days: Days | undefined): RawBuilder<unknown> {
  // Ids are in the order of blocks and have an index; times have none.
  const start = days ? sql`where change.id >= ${firstOrdinalOf(days.firstBlock)}` : sql``
  return sql`(
    select change.*, vault.token, slice.issuer
    from ${tables('capitalChange')} as change
    join ${tables('vault')} as vault on vault.address = change.vault
    left join ${tables('allocation')} as slice
      on slice.claim_id = change.claim_id and slice.slice_index = change.slice_index ${start}
  ) as change`
}

const amountOf = (kind: CapitalChangeKind, column: RawBuilder<unknown>) =>
  sql`case kind when ${sql.lit(kind)} then ${column} else 0 end`

/** Amounts that repayments add to every daily figure about them. */
export const REPAID = {
  faceRepaid: amountOf('REPAYMENT', sql`amount`),
  discountEarned: amountOf('REPAYMENT', sql`discount`),
}

/** Amounts that deposits and withdrawals add. */
export const DEPOSITED_AND_WITHDRAWN = {
  deposited: amountOf('DEPOSIT', sql`amount`),
  withdrawn: amountOf('WITHDRAWAL', sql`amount`),
}
