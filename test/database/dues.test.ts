/** Face that is due and not paid, in the second in which it changes. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { overdueFaceOf } from '../../api/projection/tables/dues.ts'
import { makeProjection } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'

const DAY = 86_400
const TODAY = 20_000 * DAY
const TOMORROW = TODAY + DAY
const NOON = TODAY + DAY / 2

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
let db: ReturnType<typeof createProjectionDb>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 1)
  db = createProjectionDb(pool)
  const slice = (name: string, dueAt: number, paid: number) =>
    `'${name}', 0, '${name}', 'execution', 'token', 'issuer', 0, ${dueAt}, false, 1000, 900, ${paid}, 0, 1, 1, 0, null, null`
  await makeProjection(pool, async (query) => {
    const insert = (values: string) => query(`insert into allocation values (${values})`)
    await insert(slice('noon', NOON, 0))
    await insert(slice('midnight', TOMORROW, 400))
    await query(`insert into due_day values ('noon', 'issuer', 'token', ${TODAY}, 1000, 0),
      ('midnight', 'issuer', 'token', ${TOMORROW}, 1000, 400)`)
  })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

async function overdueAt(vault: string, now: number) {
  const overdue = overdueFaceOf('vault', sql`${vault}::text`, sql`${now}::numeric`)
  const { rows } = await sql<{ overdue: bigint }>`select ${overdue} as overdue`.execute(db)
  return rows[0]?.overdue
}

it('an allocation is overdue from the second after the one in which it is due', async () => {
  expect(await overdueAt('noon', NOON)).toBe(0n)
  expect(await overdueAt('noon', NOON + 1)).toBe(1000n)
})

it('a payment of an allocation that is due in the first second of a day changes nothing on the day before', async () => {
  expect(await overdueAt('midnight', TOMORROW - 1)).toBe(0n)
  expect(await overdueAt('midnight', TOMORROW)).toBe(0n)
  expect(await overdueAt('midnight', TOMORROW + 1)).toBe(600n)
})
