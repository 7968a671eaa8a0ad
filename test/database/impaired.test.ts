/** Face that counts as written down, in the second in which the write-down is complete and in the one before. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { impairedSql } from '../../api/projection/tables/payment-record.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  database = await createTables(`
    create schema projection;
    create table projection.claim (
      issuer text, token text, face_value numeric, paid_face_value numeric, due_at numeric, state text
    );
    insert into projection.claim values ('0x1', '0x2', 10, 0, ${DAY / 2}, 'FULLY_FUNDED')`)
})
afterAll(() => database?.drop())

it('is the whole face from the midnight 90 days after the due day', async () => {
  const impairedAt = async (now: number) => {
    const impaired = impairedSql({ ...tupleScope('record'), now: sql`${now}::numeric` })
    const { rows } = await sql<{ impaired: bigint }>`
      select ${impaired} as impaired
      from (select '0x1' as issuer, '0x2' as token, 10::numeric as face, 0::numeric as settled, 0::numeric as recovered) as record`.execute(
      database.db,
    )
    return rows[0]?.impaired
  }
  expect(await impairedAt(91 * DAY - 1)).toBe(0n)
  expect(await impairedAt(91 * DAY)).toBe(10n)
})
