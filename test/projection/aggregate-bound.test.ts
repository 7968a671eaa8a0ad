/**
 * The bound of aggregates and counts against real plans: the same rows by each kind of scan, at the estimate and one
 * below it.
 */
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReadBound, refuseWide, toEstimate } from '../../api/projection/session/aggregate-bound.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot, type Snapshot } from '../../api/projection/session/snapshot.ts'
import { createDatabase } from '../support/postgres.ts'
import { makeClaims } from './large.ts'

const CLAIMS = 20_000
const NO_BOUND: ReadBound = {
  rows: Number.MAX_SAFE_INTEGER,
  scanCost: Number.MAX_SAFE_INTEGER,
  filteredCost: Number.MAX_SAFE_INTEGER,
}

type Plan = { 'Node Type': string; 'Plan Rows': number; 'Total Cost': number; Plans?: Plan[] }

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  await makeClaims(pool, CLAIMS)
  // Without it, an index-only scan would visit the table, too.
  await pool.query('vacuum projection.claim')
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Runs in a snapshot whose planner has only the named kinds of scan. */
async function withScans(scans: readonly string[], run: (snapshot: Snapshot) => Promise<void>) {
  const { snapshot, close } = await openSnapshot(createProjectionDb(pool))
  for (const scan of ['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan']) {
    const value = scans.includes(scan) ? 'on' : 'off'
    await sql`select set_config(${`enable_${scan}`}, ${value}, true)`.execute(snapshot.db)
  }
  await run(snapshot).finally(close)
}

async function nodesOf({ db }: Snapshot, statement: RawBuilder<unknown>): Promise<Plan[]> {
  const explain = sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (format json) select * from ${statement}`
  const { rows } = await db.withoutPlugins().executeQuery(explain.compile(db))
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]
  return rows.flatMap((row) => flatten(row['QUERY PLAN'][0].Plan))
}

const total = (nodes: Plan[], type: string, field: 'Plan Rows' | 'Total Cost') =>
  nodes.filter((node) => node['Node Type'] === type).reduce((sum, node) => sum + node[field], 0)

const from = (condition: RawBuilder<unknown>, what = sql`count(*)`) =>
  sql`(select ${what} from projection.claim where ${condition}) as counted`
const recent = sql`registered_at >= 1602400000`
const recentOrLarge = sql`(registered_at >= 1604400000 or face_value < 1000000000)`
const faces = sql`sum(face_value)`

type Case = {
  title: string
  scans: readonly string[]
  statement: RawBuilder<unknown>
  type: string
  field: 'Plan Rows' | 'Total Cost'
  bound: keyof ReadBound
}
const cases: Case[] = [
  ...(
    [
      ['an index scan', ['indexscan'], from(recent, faces), 'Index Scan'],
      ['an index-only scan', ['indexscan', 'indexonlyscan'], from(recent), 'Index Only Scan'],
      ['a bitmap scan', ['bitmapscan'], from(recent, faces), 'Bitmap Index Scan'],
      ['a bitmap scan of two indexes', ['bitmapscan'], from(recentOrLarge, faces), 'Bitmap Index Scan'],
      [
        'a bitmap scan that drops most of its rows',
        ['bitmapscan'],
        from(sql`${recent} and slice_count = 3`, faces),
        'Bitmap Index Scan',
      ],
    ] as const
  ).map(([title, scans, statement, type]) => ({
    title,
    scans,
    statement,
    type,
    field: 'Plan Rows' as const,
    bound: 'rows' as const,
  })),
  {
    title: 'a scan of the whole table',
    scans: ['seqscan'],
    statement: from(sql`slice_count = 3`),
    type: 'Seq Scan',
    field: 'Total Cost',
    bound: 'scanCost',
  },
  {
    title: 'an index scan that drops most of its rows',
    scans: ['indexscan'],
    statement: from(sql`${recent} and slice_count = 3`),
    type: 'Index Scan',
    field: 'Total Cost',
    bound: 'filteredCost',
  },
]

describe('the bound on what is read', () => {
  it.each(cases)(
    'admits $title at the bound and refuses it one beyond',
    async ({ scans, statement, type, field, bound }) => {
      await withScans(scans, async (snapshot) => {
        const estimate = total(await nodesOf(snapshot, statement), type, field)
        expect(estimate).toBeGreaterThan(0)
        const refusal = { subject: 'The count', advice: 'Narrow it.' }
        const estimated = toEstimate(statement, refusal)
        const check = (max: number) => refuseWide(snapshot, estimated, { ...NO_BOUND, [bound]: max })
        await check(estimate)
        await expect(check(estimate - 1)).rejects.toMatchObject({
          code: 'AGGREGATE_TOO_WIDE',
          message: 'The count would read too many rows one by one. Narrow it.',
        })
      })
    },
  )

  it('meets no parallel plan, whose estimates are of one worker', async () => {
    await withScans(['seqscan'], async (snapshot) => {
      await sql`select set_config('min_parallel_table_scan_size', '0', true), set_config('parallel_setup_cost', '0', true),
        set_config('parallel_tuple_cost', '0', true)`.execute(snapshot.db)
      const nodes = await nodesOf(snapshot, from(sql`slice_count = 3`))
      expect(nodes.map((node) => node['Node Type'])).toEqual(['Aggregate', 'Seq Scan'])
    })
  })
})
