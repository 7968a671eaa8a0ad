/** Daily figures as sums over rows. */
import { type RawBuilder, sql } from 'kysely'
import { firstIdOf } from '../entities/event-id.ts'
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

/** Allocations that were repaid, with the time of their settlement or revocation as `at`. A revocation is the last change of its claim. */
export function repaid(tables: Tables): RawBuilder<unknown> {
  return sql`(
    select allocation.*, over.at from (
      select claim_id, at from ${tables('settlement')} union all
      select id, changed_at from ${tables('claim')} where state = 'REVOKED'
    ) as over
    join ${tables('allocation')} as allocation using (claim_id)
  ) as repaid`
}

/** Changes of capital with their vault's token. */
export function capitalChanges(tables: Tables, days: Days | undefined): RawBuilder<unknown> {
  // Ids are in the order of blocks and have an index; times have none.
  const start = days ? sql`where change.id >= ${firstIdOf(days.firstBlock)}` : sql``
  return sql`(
    select change.*, vault.token from ${tables('capitalChange')} as change
    join ${tables('vault')} as vault on vault.address = change.vault ${start}
  ) as change`
}
