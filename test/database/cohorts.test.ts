/** The month to which a claim belongs that is registered in its first second. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { cohortsOf } from '../../api/projection/tables/payment-record.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  database = await createTables(`
    create schema projection;
    create table projection.claim (
      id text, issuer text, token text, face_value numeric, paid_face_value numeric, registered_at numeric, due_at numeric,
      state text
    );
    create table projection.settlement (claim_id text, face_amount numeric, at numeric);
    insert into projection.claim values ('0x3', '0x1', '0x2', 10, 0, 0, ${DAY / 2}, 'FULLY_FUNDED')`)
})
afterAll(() => database?.drop())

it('the face of a month has the claims from its first second on', async () => {
  const cohortsAt = async (now: number, months: number) => {
    const cohorts = cohortsOf({ ...tupleScope('record'), now: sql`${now}::numeric` }, months, sql`claim.id`)
    const { rows } = await sql<{ month: bigint; face: bigint }>`
      select month, face from (select '0x1' as issuer, '0x2' as token) as record cross join lateral ${cohorts} as cohort
      order by month`.execute(database.db)
    return rows.map(({ month, face }) => [Number(month), Number(face)])
  }
  const january = [0, 10]
  const february = [31 * DAY, 0]
  expect(await cohortsAt(31 * DAY - 1, 1)).toEqual([january])
  expect(await cohortsAt(31 * DAY, 1)).toEqual([february])
  expect(await cohortsAt(31 * DAY, 2)).toEqual([january, february])
})
