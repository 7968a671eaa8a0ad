/** The bound on what one aggregate may read, by the database's own plan for it. */
import { type RawBuilder, sql } from 'kysely'
import { CodedError } from '../errors.ts'
import type { Snapshot } from './snapshot.ts'

/** Rows that an index may be followed to for one aggregate: well under a second. */
const ROWS_MAX = 200_000
/**
 * What walking a whole table may cost, in the planner's units (a page, or a hundred rows, is 1): some 40,000 claims. A larger
 * table is never read from end to end.
 */
const SCAN_COST_MAX = 2500

type Plan = { 'Node Type': string; 'Total Cost': number; 'Plan Rows': number; Plans?: readonly Plan[] }

/**
 * Refuses a statement that would read too much. Planning it costs about a millisecond and reads no rows.
 *
 * @param narrowBy the filters that an index serves, in the words of the caller
 * @throws CodedError `AGGREGATE_TOO_WIDE`
 */
export async function refuseWide(
  { db }: Snapshot,
  statement: RawBuilder<unknown>,
  narrowBy: string,
): Promise<void> {
  const explain = sql`explain (format json) select * from ${statement}`.compile(db)
  // As Postgres names it: the connection's own naming would rename what is inside, too.
  const { rows } = await db.withoutPlugins().executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('the database gave no plan')
  if (!isWide(plan)) return
  throw new CodedError(
    'AGGREGATE_TOO_WIDE',
    `The aggregate would read too many rows one by one. Narrow its filter by ${narrowBy}.`,
    { facts: { maximumRows: ROWS_MAX } },
  )
}

function isWide(plan: Plan): boolean {
  if (plan['Node Type'] === 'Seq Scan') return plan['Total Cost'] > SCAN_COST_MAX
  if (/^(Index|Bitmap)/.test(plan['Node Type']) && plan['Plan Rows'] > ROWS_MAX) return true
  return (plan.Plans ?? []).some(isWide)
}
