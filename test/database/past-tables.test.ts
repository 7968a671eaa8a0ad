/** Tables as of a block, from rows that are a second or a block apart. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ordinalOf } from '../../api/domain/ordinal.ts'
import { valuesAt } from '../../api/projection/past/at.ts'
import { pastTables } from '../../api/projection/past/tables.ts'
import { createTables } from '../support/postgres.ts'

const DAY = 86_400

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  database = await createTables(`
    create schema projection;
    create table projection.execution (id text, block numeric);
    create table projection.execution_leg (execution_id text, at numeric);
    create table projection.claim (
      id text, issuer text, beneficiary text, token text, face_value numeric, financed_face_value numeric,
      paid_face_value numeric, due_at numeric, claim_type int, slice_count int, state text, document_hash text,
      registered_block numeric, registered_at numeric, registered_tx text, ordinal int8,
      issuer_claim_number int, changed_block numeric, changed_at numeric
    );
    create table projection.allocation (claim_id text, face_amount numeric, funded_block numeric, funded_at numeric);
    create table projection.settlement (
      claim_id text, issuer text, token text, face_amount numeric, block numeric, at numeric
    );
    create table projection.activity (id int8, claim_id text, kind text, block numeric, at numeric)`)
})
afterAll(() => database?.drop())

async function rowsAt(table: 'claim' | 'executionLeg' | 'paymentRecord', block: bigint, timestamp: bigint) {
  const past = pastTables[table]?.(valuesAt({ blockNumber: block, timestamp }))
  if (!past) throw new Error(`${table} has no past`)
  const { rows } = await sql`select * from (${past}) as past`.execute(database.db)
  return rows
}

it('have no legs of a later block, also of one at the same second', async () => {
  await database.pool.query(`
    insert into projection.execution values ('0xa', 5), ('0xb', 6);
    insert into projection.execution_leg values ('0xa', 100), ('0xb', 100)`)
  expect(await rowsAt('executionLeg', 4n, 99n)).toEqual([])
  expect(await rowsAt('executionLeg', 5n, 100n)).toEqual([{ executionId: '0xa', at: 100n }])
  expect(await rowsAt('executionLeg', 6n, 100n)).toHaveLength(2)
})

it('have a claim that was closed with the time at which it was, though it was paid later', async () => {
  await database.pool.query(`
    insert into projection.claim values
      ('0xc', '0x1', '0x2', '0x3', 100, 40, 100, 5000, 1, 1, 'SETTLED', '0xd', 1, 10, '0xe', 0, 1, 4, 40);
    insert into projection.allocation values ('0xc', 40, 2, 20);
    insert into projection.activity values (${ordinalOf(3n, 1n)}, '0xc', 'CLAIM_REVOKED', 3, 30);
    insert into projection.settlement values ('0xc', '0x1', '0x3', 100, 4, 40)`)
  const changes = async (block: bigint) => {
    const [claim] = await rowsAt('claim', block, block * 10n)
    return claim
  }
  expect(await changes(2n)).toMatchObject({ state: 'PARTIALLY_FUNDED', changedBlock: 2n, changedAt: 20n })
  expect(await changes(3n)).toMatchObject({ state: 'CLOSED', changedBlock: 3n, changedAt: 30n })
  expect(await changes(4n)).toMatchObject({ state: 'SETTLED', changedBlock: 4n, changedAt: 40n })
})

it('have a payment as recovered from the second in which the write-down is complete', async () => {
  const complete = 91 * DAY
  await database.pool.query(`
    truncate projection.claim, projection.allocation, projection.settlement, projection.activity;
    insert into projection.claim values
      ('0xc', '0x1', '0x2', '0x3', 10, 0, 10, 5000, 1, 0, 'SETTLED', '0xd', 1, 10, '0xe', 0, 1, 4, ${complete});
    insert into projection.settlement values
      ('0xc', '0x1', '0x3', 4, 3, ${complete - 1}), ('0xc', '0x1', '0x3', 6, 4, ${complete})`)
  expect(await rowsAt('paymentRecord', 3n, BigInt(complete - 1))).toMatchObject([
    { settled: 4n, recovered: 0n },
  ])
  expect(await rowsAt('paymentRecord', 4n, BigInt(complete))).toMatchObject([{ settled: 10n, recovered: 6n }])
})
