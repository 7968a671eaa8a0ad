/** Face that counts as overdue or written down, in the second in which it begins to and in the one before. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { impairedSql, overdueSql } from '../../api/projection/tables/payment-record.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400
/** The first second of a day, its noon and its last second. */
const DUE_AT = [0, DAY / 2, DAY - 1]
const STATES = ['ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'CLOSED', 'REVOKED']

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  const claims = [
    ...DUE_AT.map((dueAt) => `('issuer ${dueAt}', '0x2', 10, 0, ${dueAt}, 'FULLY_FUNDED')`),
    ...STATES.map((state) => `('${state}', '0x2', 10, 3, ${DAY}, '${state}')`),
  ]
  database = await createTables(`
    create schema projection;
    create table projection.claim (
      issuer text, token text, face_value numeric, paid_face_value numeric, due_at numeric, state text
    );
    insert into projection.claim values ${claims}`)
})
afterAll(() => database?.drop())

type Issuer = { readonly issuer: string; readonly face: number; readonly settled: number }

/** Reads a figure of an issuer. */
async function readOf({ issuer, face, settled }: Issuer, figure: typeof impairedSql, now: number) {
  const value = figure({ ...tupleScope('record'), now: sql`${now}::numeric` })
  const { rows } = await sql<{ value: bigint }>`
    select ${value} as value
    from (
      select ${issuer} as issuer, '0x2' as token, ${face}::numeric as face, ${settled}::numeric as settled,
        0::numeric as recovered
    ) as record`.execute(database.db)
  return rows[0]?.value
}

/** Reads a figure of the issuer whose only claim is due at this time. */
const readAt = (figure: typeof impairedSql, dueAt: number, now: number) =>
  readOf({ issuer: `issuer ${dueAt}`, face: 10, settled: 0 }, figure, now)

it.each(DUE_AT)(
  'face is written down from the midnight 90 days after its due day, due at second %i',
  async (dueAt) => {
    expect(await readAt(impairedSql, dueAt, 91 * DAY - 1)).toBe(0n)
    expect(await readAt(impairedSql, dueAt, 91 * DAY)).toBe(10n)
  },
)

it('face is overdue after the second in which it is due', async () => {
  expect(await readAt(overdueSql, DAY / 2, DAY / 2)).toBe(0n)
  expect(await readAt(overdueSql, DAY / 2, DAY / 2 + 1)).toBe(10n)
})

it.each(STATES)('face of a claim that is %s is not overdue before it is due', async (state) => {
  // The record of an issuer has no face of a claim that was revoked.
  const record = {
    issuer: state,
    ...(state === 'REVOKED' ? { face: 0, settled: 0 } : { face: 10, settled: 3 }),
  }
  const isUnpaid = record.face > 0
  expect(await readOf(record, overdueSql, DAY)).toBe(0n)
  expect(await readOf(record, overdueSql, DAY + 1)).toBe(isUnpaid ? 7n : 0n)
  expect(await readOf(record, impairedSql, 91 * DAY)).toBe(0n)
  expect(await readOf(record, impairedSql, 92 * DAY)).toBe(isUnpaid ? 7n : 0n)
})
