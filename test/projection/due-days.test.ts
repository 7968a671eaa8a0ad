/** The days on which a vault is paid, in the answer to a lender who withdraws. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { DUE_DAYS_SHOWN, readDueDays } from '../../api/projection/tables/due-days.ts'
import { createDatabase } from '../support/postgres.ts'
import { makeProjection } from './large.ts'

const DAY = 86_400n
const NOW = 20_000n * DAY
const LAST = DUE_DAYS_SHOWN + 2
const vault = `0x${'aa'.repeat(20)}` as const

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  await makeProjection(pool, async (query) => {
    // Each slice of a kind is due on another day, the first one a day before the block.
    const insert = (slice: number, owner: string, isSettled: boolean, paid: string) =>
      query(`insert into allocation
        select 'claim ' || i, ${slice}, '${owner}', 'execution', 'token', 'issuer', 0, ${NOW} + i * ${DAY}, ${isSettled},
          1000 + i, 900, ${paid}, 0, 1, 1, i, null, null from generate_series(-1, ${LAST}) as i`)
    await insert(0, vault, false, '100')
    await insert(1, vault, true, '1000 + i')
    await insert(2, `0x${'bb'.repeat(20)}`, false, '100')
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const readAt = (timestamp: bigint) =>
  readDueDays({ db: createProjectionDb(pool), finalizedThrough: { blockNumber: 1n, timestamp } }, vault)

it('are the next ones with unpaid face of the vault, with what is overdue before them and the face of all later days after them', async () => {
  const { overdue, days, later } = await readAt(NOW)
  const slice = (day: number) => ({ faceAmount: 900n + BigInt(day), allocations: 1n })
  expect(overdue).toEqual(slice(-1))
  expect(days).toEqual(
    Array.from({ length: DUE_DAYS_SHOWN }, (_, index) => ({
      dueDay: NOW + BigInt(index) * DAY,
      ...slice(index),
    })),
  )
  expect(later).toEqual({ faceAmount: 3n * 900n + BigInt(LAST + LAST - 1 + LAST - 2), allocations: 3n })
})

it('have the face of a claim up to the second in which it is due, and then it is overdue', async () => {
  const [atDue, after] = [await readAt(NOW), await readAt(NOW + 1n)]
  expect([atDue.overdue.allocations, after.overdue.allocations]).toEqual([1n, 2n])
  expect([atDue.days[0]?.dueDay, after.days[0]?.dueDay]).toEqual([NOW, NOW + DAY])
})
