/** Face that counts as overdue or written down, in the second in which it begins to and in the one before. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { impairedSql, overdueSql } from '../../api/projection/tables/payment-record.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400
/** The first second of a day, its noon and its last second. */
const DUE_AT = [0, DAY / 2, DAY - 1]

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  const claims = DUE_AT.map((dueAt) => `('issuer ${dueAt}', '0x2', 10, 0, ${dueAt}, 'FULLY_FUNDED')`)
  database = await createTables(`
    create schema projection;
    create table projection.claim (
      issuer text, token text, face_value numeric, paid_face_value numeric, due_at numeric, state text
    );
    insert into projection.claim values ${claims}`)
})
afterAll(() => database?.drop())

/** Reads a figure of the issuer whose only claim is due at this time. */
async function readAt(figure: typeof impairedSql, dueAt: number, now: number) {
  const value = figure({ ...tupleScope('record'), now: sql`${now}::numeric` })
  const { rows } = await sql<{ value: bigint }>`
    select ${value} as value
    from (select ${`issuer ${dueAt}`} as issuer, '0x2' as token, 10::numeric as face, 0::numeric as settled, 0::numeric as recovered) as record`.execute(
    database.db,
  )
  return rows[0]?.value
}

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
