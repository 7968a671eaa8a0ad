/** The value of a vault by its lines, in the seconds around a midnight. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tupleScope } from '../../api/projection/sql/scope.ts'
import { valueNow, vaultBefore } from '../../api/projection/tables/vault-value.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400n
const [FIRST, SECOND, THIRD] = [100n * DAY, 101n * DAY, 102n * DAY]

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  // The lines of a day, and the part of them that earlier days have scheduled.
  database = await createTables(`
    create schema projection;
    create table projection.vault_day (
      vault text, day numeric, idle_assets numeric, outstanding_advance numeric, total_shares numeric
    );
    create table projection.value_day (
      vault text, day numeric, gain_per_second numeric, gain_offset numeric, loss_per_second numeric, loss_offset numeric,
      scheduled_gain_per_second numeric, scheduled_gain_offset numeric,
      scheduled_loss_per_second numeric, scheduled_loss_offset numeric
    );
    insert into projection.vault_day values
      ('own', ${FIRST}, 1, 2, 3), ('own', ${SECOND}, 4, 5, 6), ('own', ${THIRD}, 7, 8, 9),
      ('other', ${SECOND}, 70, 80, 90);
    insert into projection.value_day values
      ('own', ${FIRST}, 1, 10, 2, 20, 3, 30, 4, 40), ('own', ${SECOND}, 5, 50, 6, 60, 7, 70, 8, 80),
      ('own', ${THIRD}, 100, 1000, 200, 2000, 300, 3000, 400, 4000),
      ('other', ${SECOND}, 9, 9, 9, 9, 9, 9, 9, 9)`)
})
afterAll(() => database?.drop())

it('is that of the last second before a midnight, after all events before it', async () => {
  const before = async (end: bigint) => {
    const { rows } =
      await sql`select * from ${vaultBefore(sql`'own'`, sql`${end}::numeric`)} as past`.execute(database.db)
    return rows
  }
  expect(await before(FIRST)).toEqual([
    { idleAssets: 0n, outstandingAdvance: 0n, totalShares: 0n, gains: 0n, losses: 0n },
  ])
  expect(await before(SECOND)).toEqual([
    {
      ...{ idleAssets: 1n, outstandingAdvance: 2n, totalShares: 3n },
      ...{ gains: SECOND - 1n + 10n, losses: 2n * (SECOND - 1n) + 20n },
    },
  ])
  expect(await before(THIRD)).toEqual([
    {
      ...{ idleAssets: 4n, outstandingAdvance: 5n, totalShares: 6n },
      ...{ gains: 6n * (THIRD - 1n) + 60n, losses: 8n * (THIRD - 1n) + 80n },
    },
  ])
})

it('has what a day has scheduled from the first second of the day, for days after that of the last change', async () => {
  const at = async (now: bigint) => {
    const vault = { ...tupleScope('vault'), now: sql`${now}::numeric` }
    const { rows } = await sql`
      select worth.* from (
        select 'own' as address, ${FIRST}::numeric as through_day, 11::numeric as gain_per_second,
          12::numeric as gain_offset, 13::numeric as loss_per_second, 14::numeric as loss_offset
      ) as vault cross join lateral ${valueNow(vault)} as worth`.execute(database.db)
    return rows
  }
  expect(await at(SECOND - 1n)).toEqual([
    { gains: 11n * (SECOND - 1n) + 12n, losses: 13n * (SECOND - 1n) + 14n },
  ])
  expect(await at(SECOND)).toEqual([{ gains: 18n * SECOND + 82n, losses: 21n * SECOND + 94n }])
  expect(await at(THIRD)).toEqual([{ gains: 318n * THIRD + 3082n, losses: 421n * THIRD + 4094n }])
})
