/** Rows that a read of outstanding face visits, among many allocations that are repaid. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { outstandingOf } from '../../api/projection/tables/outstanding.ts'
import { makeProjection } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'

const REPAID = 5000
const HELD = 3
const UNPAID = 4

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  await makeProjection(pool, async (query) => {
    const insert = (kind: string, count: number, paid: number, repaid: number) =>
      query(`insert into allocation
        select '${kind} ' || i, 0, 'vault', 'execution', 'token', 'issuer', 0, i, ${paid === 10}, 10, 9, ${paid}, ${repaid},
          1, 1, i, null, null from generate_series(1, ${count}) as i`)
    await insert('repaid', REPAID, 10, 10)
    await insert('held', HELD, 10, 0)
    await insert('unpaid', UNPAID, 0, 0)
  })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

it.each(['vault', 'issuer', 'token'] as const)(
  'a read by %s visits no allocation that is repaid',
  async (by) => {
    const db = createProjectionDb(pool)
    const outstanding = outstandingOf(by, sql.lit(by))
    const read = await sql<{
      face: bigint
    }>`select sum(face) as face from ${outstanding} as outstanding`.execute(db)
    expect(read.rows).toEqual([{ face: 10n * BigInt(HELD + UNPAID) }])
    const explain = sql<{
      'QUERY PLAN': [{ Plan: Plan }]
    }>`explain (analyze, format json) select * from ${outstanding} as own`
    const { rows } = await db.withoutPlugins().executeQuery(explain.compile(db))
    const visited = rows
      .flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
      .filter((node) => node['Relation Name'] === 'allocation')
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    expect(visited.reduce((sum, count) => sum + count, 0)).toBe(HELD + UNPAID)
  },
)
