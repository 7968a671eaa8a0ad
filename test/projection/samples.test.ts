/** Rows for the examples of the API reference, from projections that have all that must not be chosen. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { readSnapshot } from '../../api/projection/session/snapshot.ts'
import { findImpairable } from '../../api/projection/tables/samples.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { makeProjection } from './large.ts'

const TOKEN = `0x${'30'.repeat(20)}`
const VAULT = `0x${'20'.repeat(20)}`
const ADVANCE = 90
const DAYS = 86_400
const idOf = (number: number) => `0x${`${number}`.padStart(64, '0')}`

type Slice = { claim: number; slice?: number; overdueDays: number; settled?: boolean; impairment?: number }

/** Any wallet may impair slice 1 of claim 6, whose slice 0 has no value left, and claim 7, which was due earlier. */
const SLICES: Slice[] = [
  { claim: 1, overdueDays: -5 },
  { claim: 2, overdueDays: 89 },
  { claim: 3, overdueDays: 95, settled: true },
  { claim: 4, overdueDays: 95, impairment: ADVANCE },
  { claim: 6, overdueDays: 100, impairment: ADVANCE },
  { claim: 6, slice: 1, overdueDays: 100, impairment: ADVANCE - 1 },
  { claim: 7, overdueDays: 120 },
]

let database: TestDatabase
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
  await makeProjection(pool, async (query) => {
    await query(`insert into token values ('${TOKEN}', 'T', 'Token', 6, true, 1, 1, 1, 1)`)
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const sample = () => readSnapshot(createProjectionDb(pool), findImpairable)

async function insert({ claim, slice = 0, overdueDays, settled = false, impairment = 0 }: Slice) {
  const { finalizedThrough } = await readSnapshot(createProjectionDb(pool), async (snapshot) => snapshot)
  const dueAt = Number(finalizedThrough.timestamp) - overdueDays * DAYS
  await pool.query(
    `insert into projection.allocation values ($1, $2, $3, $1, $4, $3, 1, $5, $6, 100, ${ADVANCE}, $7, 1, 1)`,
    [idOf(claim), slice, VAULT, TOKEN, dueAt, settled, impairment],
  )
}

it('a slice that any wallet may impair is unpaid 90 days after its due date and has value left', async () => {
  expect(await sample()).toBeUndefined()
  for (const slice of SLICES) await insert(slice)
  expect(await sample()).toEqual({ claimId: idOf(6), sliceIndex: 1 })
  await pool.query(`delete from projection.allocation where claim_id = '${idOf(6)}'`)
  expect(await sample()).toEqual({ claimId: idOf(7), sliceIndex: 0 })
  await pool.query(`delete from projection.allocation where claim_id = '${idOf(7)}'`)
  expect(await sample()).toBeUndefined()
  await insert({ claim: 5, overdueDays: 90 })
  expect(await sample()).toEqual({ claimId: idOf(5), sliceIndex: 0 })
})
