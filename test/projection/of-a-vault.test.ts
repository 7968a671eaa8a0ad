/** Reads of one vault, in the answers to lenders and curators. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { DUE_DAYS_SHOWN, readDueDays } from '../../api/projection/tables/due-days.ts'
import { readOpenClaims } from '../../api/projection/tables/open-claims.ts'
import { createDatabase } from '../support/postgres.ts'
import { makeProjection } from './large.ts'

const DAY = 86_400n
const NOW = 20_000n * DAY
const LAST = DUE_DAYS_SHOWN + 3
const token = `0x${'bb'.repeat(20)}` as const
const vault = `0x${'aa'.repeat(20)}` as const

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  // Each slice is due on another day, the first one a day before the block. The router holds a part of each.
  await makeProjection(pool, async (query) => {
    await query(`insert into allocation
      select 'claim ' || i, 0, '${vault}', 'execution', '${token}', 'issuer', 0, ${NOW} + i * ${DAY}, false, 1000 + i, 900, 100, 0,
        1, 1, i, null, null from generate_series(-1, ${LAST}) as i`)
    await query(`insert into issuer values ('issuer', true, 1, 0, 0, 0);
      insert into claim values ('claim', 'issuer', 'beneficiary', '${token}', 5000, 0, 0, ${NOW + 1n}, 0, 0, 'ELIGIBLE', 'document',
        1, 1, 'tx', 1, 1, 1, 1)`)
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

it('due days are the next ones, with what is overdue before them and the face of all later days after them', async () => {
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

it('an issuer owes the face that the router holds, until the vault is paid', async () => {
  const snapshot = { db: createProjectionDb(pool), finalizedThrough: { blockNumber: 1n, timestamp: NOW } }
  const [claim, ...others] = await readOpenClaims(snapshot, { vault, token }, 2)
  expect(others).toEqual([])
  const faces = Array.from({ length: LAST + 2 }, (_, index) => 1000n + BigInt(index - 1))
  expect(claim).toMatchObject({ heldFace: 0n, owedFace: faces.reduce((sum, face) => sum + face) })
})
