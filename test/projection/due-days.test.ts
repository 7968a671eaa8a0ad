/** The days on which a vault is paid, in the answer to a lender who withdraws. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { DUE_DAYS_SHOWN, readDueDays } from '../../api/projection/tables/due-days.ts'
import { createDatabase } from '../support/postgres.ts'
import { makeProjection } from './large.ts'

const DAY = 86_400n
const NOW = 20_000n * DAY
const LAST = DUE_DAYS_SHOWN + 3
const vault = `0x${'aa'.repeat(20)}` as const

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  // Each slice is due on another day, the first one a day before the block. A part of each is paid.
  await makeProjection(pool, async (query) => {
    await query(`insert into allocation
      select 'claim ' || i, 0, '${vault}', 'execution', 'token', 'issuer', 0, ${NOW} + i * ${DAY}, false, 1000 + i, 900, 100, 0,
        1, 1, i, null, null from generate_series(-1, ${LAST}) as i`)
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

it('are the next ones, with what is overdue before them and the face of all later days after them', async () => {
  const finalizedThrough = { blockNumber: 1n, timestamp: NOW }
  const { overdue, days, later } = await readDueDays(
    { db: createProjectionDb(pool), finalizedThrough },
    vault,
  )
  const slice = (day: number) => ({ faceAmount: 900n + BigInt(day), allocations: 1n })
  expect(overdue).toEqual({ faceAmount: 899n + 900n, allocations: 2n })
  expect(days).toEqual(
    Array.from({ length: DUE_DAYS_SHOWN }, (_, index) => ({
      dueDay: NOW + BigInt(index + 1) * DAY,
      ...slice(index + 1),
    })),
  )
  expect(later).toEqual({ faceAmount: 3n * 900n + BigInt(LAST + LAST - 1 + LAST - 2), allocations: 3n })
})
