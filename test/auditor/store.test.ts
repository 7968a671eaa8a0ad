/** The differences that the auditor stores, from round to round. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { readAudit } from '../../api/projection/tables/audit.ts'
import type { Difference } from '../../auditor/comparison.ts'
import { type AuditStore, openStore, readDifferences, saveOutcome } from '../../auditor/store.ts'
import { createTables } from '../support/postgres.ts'

/** Differences that are stored at most. */
const MOST = 1000

let database: Awaited<ReturnType<typeof createTables>>
let store: AuditStore
beforeAll(async () => {
  database = await createTables('create schema audit')
  store = await openStore(database.pool)
})
beforeEach(async () => {
  await database.pool.query('truncate audit.difference')
})
afterAll(() => database?.drop())

const differenceOf = (number: number, block = 1n): Difference => ({
  entity: 'claim',
  key: `${number}`.padStart(5, '0'),
  field: 'faceValue',
  projected: '1',
  onChain: '2',
  kind: 'WRONG_VALUE',
  block,
})
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => differenceOf(from + index))
const keysOf = (differences: readonly Pick<Difference, 'key'>[]) => differences.map(({ key }) => key)
const at = (hour: number) => new Date(Date.UTC(2030, 0, 1, hour))

const save = (found: readonly Difference[], isGone: (before: Difference) => boolean, hour = 0) =>
  saveOutcome(store, { found, isGone }, at(hour))

it('a difference that is found again keeps the time at which it was first seen, and has its latest values', async () => {
  await save([differenceOf(1)], () => true, 1)
  await save([{ ...differenceOf(1, 7n), projected: '3' }], () => true, 2)
  expect(await readDifferences(store)).toMatchObject([{ firstSeen: at(1), block: 7n, projected: '3' }])
})

it('a difference that is not found is gone only where the round would have found it', async () => {
  await save(range(0, 3), () => true)
  const { added, gone } = await save([differenceOf(3)], ({ key }) => key === '00001')
  expect([keysOf(added), keysOf(gone)]).toEqual([['00003'], ['00001']])
  expect(keysOf(await readDifferences(store))).toEqual(['00000', '00002', '00003'])
})

it('differences are stored up to their maximum, and those that are gone make room in the same round', async () => {
  await save(range(0, MOST), () => true)
  const full = await save(range(0, MOST + 5), () => true)
  expect(full.added).toHaveLength(5)
  expect(await readDifferences(store)).toHaveLength(MOST)
  await save(range(10, MOST + 20), () => true)
  expect(keysOf(await readDifferences(store))).toEqual(keysOf(range(10, MOST + 10)))
})

it('a read shows missing events first, then the oldest differences, with the time at which each was first seen', async () => {
  const missing: Difference = { ...differenceOf(9), kind: 'MISSING_LOGS' }
  await save([differenceOf(2)], () => false, 1)
  await save([{ ...differenceOf(1), entity: 'allocation' }, missing], () => false, 2)
  await save([differenceOf(0)], () => false, 3)
  await database.pool.query(`insert into audit.progress values (true, 1, 1, now())`)
  const { differences } = await readAudit(createProjectionDb(database.pool), 60)
  expect(keysOf(differences)).toEqual([9, 2, 1, 0].map((number) => differenceOf(number).key))
  expect(differences.map(({ firstSeen }) => new Date(1000 * Number(firstSeen)))).toEqual([2, 1, 2, 3].map(at))
})

it('a read shows the first ten differences, those of one time by their place, and counts all', async () => {
  const first: Difference = { ...differenceOf(99), entity: 'allocation' }
  const second: Difference = { ...differenceOf(0), field: 'dueAt' }
  const missing: Difference = { ...differenceOf(98), kind: 'MISSING_LOGS' }
  await save([...range(0, 12).toReversed(), missing, first, second], () => false)
  await database.pool.query(
    `insert into audit.progress values (true, 1, 1, now()) on conflict (one) do update set at = now()`,
  )
  const audit = await readAudit(createProjectionDb(database.pool), 60)
  const placeOf = ({ entity, key, field }: Pick<Difference, 'entity' | 'key' | 'field'>) =>
    `${entity} ${key} ${field}`
  expect(audit.differences.map(placeOf)).toEqual(
    [missing, first, second, ...range(0, 7)].map((difference) => placeOf(difference)),
  )
  expect([audit.differenceCount, audit.missingLogCount]).toEqual([15, 1])
})

it('the auditor counts as stopped once the age of its last round is above the limit', async () => {
  // All of a transaction has one time, so the age is exact.
  const stateAt = (age: number) =>
    createProjectionDb(database.pool)
      .transaction()
      .execute(async (transaction) => {
        await sql`delete from audit.progress`.execute(transaction)
        await sql`insert into audit.progress values (true, 1, 1, now() - ${age} * interval '1 second')`.execute(
          transaction,
        )
        return (await readAudit(transaction, 60)).state
      })
  expect([await stateAt(60), await stateAt(61)]).toEqual(['RUNNING', 'STOPPED'])
})
