/** The bound on what one aggregate or count may read, by the database's own plan for it. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Subject, tooWide } from '../sql/row-bounds.ts'
import { type Reading, toStatement } from '../sql/statement.ts'
import type { Snapshot } from './snapshot.ts'

export type ReadBound = {
  /** Rows that indexes may be followed to. */
  readonly rows: number
  /** Cost of scans through a whole table, in the planner's units: a page, or a hundred rows, is 1. */
  readonly scanCost: number
  /**
   * Cost of index scans that drop rows by a condition on columns outside of the index. The plan does not state how many
   * rows they visit, but each costs more than 0.02.
   */
  readonly filteredCost: number
}

/** Each takes well under a second. `scanCost` is some 40,000 claims: a larger table is never read from end to end. */
const BOUND: ReadBound = { rows: 200_000, scanCost: 2500, filteredCost: 20_000 }

type Plan = {
  'Node Type': string
  'Total Cost': number
  'Plan Rows': number
  Filter?: string
  Plans?: readonly Plan[]
}

/**
 * A relation whose rows must be bounded before a statement reads them, as the statement that has the planner's
 * estimate.
 */
export type Estimate = { readonly reading: Reading; readonly subject: Subject }

export function toEstimate(relation: RawBuilder<unknown>, subject: Subject): Estimate {
  return { reading: toStatement(sql`explain (format json) select * from ${relation}`), subject }
}

/**
 * Refuses a relation that would read too much. To plan it costs about a millisecond and reads no rows.
 *
 * @returns milliseconds that the estimate took
 * @throws CodedError `AGGREGATE_TOO_WIDE`
 */
export async function refuseWide(
  { db }: Pick<Snapshot, 'db'>,
  { reading: { text, values }, subject }: Estimate,
  bound = BOUND,
): Promise<number> {
  const startedAt = performance.now()
  const explain = CompiledQuery.raw(text, [...values])
  const { rows } = await db.withoutPlugins().executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('the database gave no plan')
  if (isWide(plan, bound)) throw tooWide(subject, bound.rows)
  return performance.now() - startedAt
}

/**
 * Index nodes of a plan: of a bitmap the part that reads the index, since the part that reads the table counts what is
 * left.
 */
const INDEX_NODE = /^(Index Scan|Index Only Scan|Bitmap Index Scan)$/

function isWide(root: Plan, bound: ReadBound): boolean {
  const nodes = nodesOf(root)
  const indexed = nodes.filter((node) => INDEX_NODE.test(node['Node Type']))
  const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  const filtered = indexed.filter((node) => node.Filter !== undefined)
  return (
    sum(indexed, 'Plan Rows') > bound.rows ||
    sum(scanned, 'Total Cost') > bound.scanCost ||
    sum(filtered, 'Total Cost') > bound.filteredCost
  )
}

function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function sum(nodes: readonly Plan[], field: 'Plan Rows' | 'Total Cost'): number {
  return nodes.reduce((total, node) => total + node[field], 0)
}
