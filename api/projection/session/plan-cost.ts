/** The bound on statements with filters, by the planner's own estimate. */
import type { ClientBase } from 'pg'
import { CodedError } from '../../errors.ts'
import type { Reading } from '../sql/statement.ts'

/**
 * Maximum cost of the pages of a statement in the planner's units: a page that is read in order is 1. A unit takes some
 * microseconds.
 */
export const PLAN_COST_MAX = 100_000

/** Points for an estimate of the planner, which takes a message of its own. */
export const POINTS_PER_ESTIMATE = 150
/** Points for a millisecond of the database. */
const POINTS_PER_MS = 300

/** Receives the planned cost of a statement, and the milliseconds that the estimate took. Throws to refuse it. */
export type Admit = (planCost: number, tookMs: number) => void

type Plan = {
  'Node Type': string
  'Parent Relationship'?: string
  'Function Name'?: string
  'Plan Rows': number
  'Total Cost': number
  Plans?: readonly Plan[]
}

/**
 * Returns the planner's estimate for the pages of a statement, each as often as its parents are expected to have it.
 * The estimate reads no rows, and takes about a millisecond. Sums and counts have bounds of their own. The periods of a
 * series bound its work; the planner does not know their number.
 */
export async function planCostOf(client: ClientBase, { text, values }: Reading): Promise<number> {
  const explain = { text: `explain (format json) ${text}`, values: [...values] }
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('the database gave no plan')
  return costOfPages(plan)
}

function costOfPages(node: Plan): number {
  if (isSeries(node)) return 0
  if (node['Node Type'] === 'Limit') return node['Total Cost']
  const parts = node.Plans ?? []
  return parts.reduce((sum, part) => sum + timesOf(node, part) * costOfPages(part), 0)
}

/** Whether the rows of a node are those of periods. Each value of its rows may be a series without that. */
function isSeries({ 'Function Name': name, Plans: parts = [] }: Plan): boolean {
  const sources = parts.filter((part) => !/Plan$/.test(part['Parent Relationship'] ?? ''))
  return name === 'generate_series' || sources.some(isSeries)
}

/** Expected number of times that a part runs: the inner side of a join, and a value that is computed for each row. */
function timesOf(node: Plan, part: Plan): number {
  const relationship = part['Parent Relationship']
  const [outer] = node.Plans ?? []
  const rows = outer === part ? 1 : (outer?.['Plan Rows'] ?? 1)
  if (relationship === 'SubPlan') return Math.max(node['Plan Rows'], rows)
  return relationship === 'Inner' && node['Node Type'] === 'Nested Loop' ? rows : 1
}

/** Returns the points of the budget of a caller for time of the database, whose clock can be set back meanwhile. */
export function pointsOfTime(ms: number): number {
  return Math.ceil(Math.max(0, ms) * POINTS_PER_MS)
}

/** @throws CodedError `READ_TOO_SLOW` */
export function requireFastPlan(planCost: number): void {
  if (planCost > PLAN_COST_MAX)
    throw readTooSlow('would visit too many rows of the table', { planCost: Math.round(planCost) })
}

/** Returns the refusal of a statement that its time did not suffice for. */
export function outOfTime(): CodedError {
  return readTooSlow('took longer than one read may', {})
}

function readTooSlow(reason: string, facts: Record<string, number>): CodedError {
  return new CodedError(
    'READ_TOO_SLOW',
    `The read ${reason}. Add a condition that few rows meet, such as an issuer, a wallet or a shorter period, or use an export.`,
    { facts },
  )
}
