/** Claims and payments of the months of a payment record. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claimStates } from '../../api/domain/claim.ts'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { cohortsOf } from '../../api/projection/tables/payment-record.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  // The face of each is a power of 2.
  const claims = claimStates.map(
    (state, place) => `('${state}', '0x9', '0x2', ${2 ** place}, 0, 5, ${DAY / 2}, '${state}')`,
  )
  database = await createTables(`
    create schema projection;
    create table projection.claim (
      id text, issuer text, token text, face_value numeric, paid_face_value numeric, registered_at numeric, due_at numeric,
      state text
    );
    create table projection.settlement (claim_id text, face_amount numeric, at numeric);
    insert into projection.claim values ('0x3', '0x1', '0x2', 10, 0, 0, ${DAY / 2}, 'FULLY_FUNDED');
    insert into projection.claim values ${claims};
    insert into projection.settlement values
      ('SETTLED', 8, ${31 * DAY - 1}), ('CLOSED', 20, ${31 * DAY}), ('CLOSED', 4, ${59 * DAY - 1}), ('0x3', 1, 1)`)
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

it('a month has the face of all its claims that are not revoked, and their payments by the months until then', async () => {
  const cohorts = cohortsOf({ ...tupleScope('record'), now: sql`${59 * DAY}::numeric` }, 3, sql`claim.id`)
  const { rows } = await sql`
    select face, paid, paid_bps from (select '0x9' as issuer, '0x2' as token) as record cross join lateral ${cohorts} as cohort
    order by month`.execute(database.db)
  const face = 1n + 2n + 4n + 8n + 32n
  expect(rows).toEqual([
    { face, paid: ['8', '24', '0'], paidBps: [1702, 5106, 0] },
    { face: 0n, paid: ['0', '0'], paidBps: [0, 0] },
    { face: 0n, paid: ['0'], paidBps: [0] },
  ])
})
