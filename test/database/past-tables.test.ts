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
    create table projection.activity (
      id int8, claim_id text, kind text, block numeric, at numeric, wallet text, token text, amount numeric
    );
    create table projection.credit (account text, token text, amount numeric)`)
})
afterAll(() => database?.drop())

async function rowsAt(
  table: 'claim' | 'credit' | 'executionLeg' | 'paymentRecord',
  block: bigint,
  timestamp: bigint,
) {
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

it('have a claim as each financing and each payment left it, with the block and the time of the last of them', async () => {
  await database.pool.query(`
    truncate projection.claim, projection.allocation, projection.settlement, projection.activity;
    insert into projection.claim values
      ('0xc', '0x1', '0x2', '0x3', 100, 100, 100, 5000, 1, 2, 'SETTLED', '0xd', 1, 10, '0xe', 0, 1, 9, 90);
    insert into projection.allocation values ('0xc', 40, 2, 20), ('0xc', 60, 5, 50);
    insert into projection.settlement values
      ('0xc', '0x1', '0x3', 30, 3, 30), ('0xc', '0x1', '0x3', 20, 7, 70), ('0xc', '0x1', '0x3', 50, 9, 90)`)
  // A block with a change, and the one after it.
  const changes = [
    { at: [1], state: 'ELIGIBLE', slices: 0, financed: 0n, paid: 0n },
    { at: [2], state: 'PARTIALLY_FUNDED', slices: 1, financed: 40n, paid: 0n },
    { at: [3, 4], state: 'PARTIALLY_FUNDED', slices: 1, financed: 40n, paid: 30n },
    { at: [5, 6], state: 'FULLY_FUNDED', slices: 2, financed: 100n, paid: 30n },
    { at: [7, 8], state: 'FULLY_FUNDED', slices: 2, financed: 100n, paid: 50n },
    { at: [9, 10], state: 'SETTLED', slices: 2, financed: 100n, paid: 100n },
  ]
  expect(await rowsAt('claim', 0n, 9n)).toEqual([])
  for (const { at, state, slices, financed, paid } of changes) {
    const changedBlock = BigInt(at[0] ?? 0)
    const expected = {
      state,
      sliceCount: slices,
      financedFaceValue: financed,
      paidFaceValue: paid,
      changedBlock,
    }
    for (const block of at.map(BigInt))
      expect(await rowsAt('claim', block, block * 10n), `block ${block}`).toMatchObject([
        { ...expected, changedAt: changedBlock * 10n },
      ])
  }
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

it('have a payment in one range of days by which it is late, from the first to the last second of the range', async () => {
  const dueAt = 5000
  // Each payment is a digit of the sum that it is in.
  const times = [
    ...[dueAt - 1, dueAt, dueAt + DAY - 1],
    ...[1, 2, 8, 31, 91].flatMap((days) => [dueAt + days * DAY, dueAt + (days + 1) * DAY - 1]),
    ...[8, 31, 91].map((days) => dueAt + days * DAY - 1),
  ]
  const amounts = times.map((_, place) => 10n ** BigInt(place))
  const sumOf = (...places: readonly number[]) =>
    places.reduce((sum, place) => sum + (amounts[place] ?? 0n), 0n)
  const all = sumOf(...amounts.keys())
  const payments = times.map((at, place) => `('0xc', '0x1', '0x3', ${amounts[place]}, ${place}, ${at})`)
  await database.pool.query(`
    truncate projection.claim, projection.allocation, projection.settlement, projection.activity;
    insert into projection.claim values
      ('0xc', '0x1', '0x2', '0x3', ${all}, 0, ${all}, ${dueAt}, 1, 0, 'SETTLED', '0xd', 0, 0, '0xe', 0, 1, 0, 0),
      ('0xf', '0x1', '0x2', '0x3', 7, 0, 0, ${dueAt}, 1, 0, 'REVOKED', '0xd', 0, 0, '0xe', 1, 2, 0, 0),
      ('0xa', '0x1', '0x2', '0x3', 9, 5, 0, ${dueAt}, 1, 1, 'CLOSED', '0xd', 0, 0, '0xe', 2, 3, 0, 0);
    insert into projection.settlement values ${payments}`)
  expect(await rowsAt('paymentRecord', 100n, BigInt(1000 * DAY))).toMatchObject([
    {
      ...{ face: all + 9n, settled: all, onTime: sumOf(0, 1, 2), upTo1: sumOf(3, 4), upTo7: sumOf(5, 6, 13) },
      ...{ upTo30: sumOf(7, 8, 14), upTo90: sumOf(9, 10, 15), more: sumOf(11, 12) },
    },
  ])
})

it('have the credit of an account in each token, also where all of it is withdrawn', async () => {
  const [one, other, token, second] = ['0x1', '0x2', '0x8', '0x9']
  const events = [
    [1, 'CREDITED', one, token, 10],
    [2, 'CREDITED', other, token, 7],
    [2, 'EXECUTION', other, token, 100],
    [3, 'CREDITED', one, second, 4],
    [4, 'CREDIT_WITHDRAWN', one, token, 10],
    [5, 'CREDITED', one, token, 3],
  ] as const
  const activity = events.map(
    ([block, kind, wallet, of, amount], place) =>
      `(${ordinalOf(BigInt(block), BigInt(place))}, '${kind}', '${wallet}', '${of}', ${amount})`,
  )
  await database.pool.query(`
    insert into projection.credit values ('${one}', '${token}', 3), ('${other}', '${token}', 7), ('${one}', '${second}', 4);
    truncate projection.activity;
    insert into projection.activity (id, kind, wallet, token, amount) values ${activity}`)
  const credit = (account: string, of: string, amount: bigint) => ({ account, token: of, amount })
  const others = [credit(other, token, 7n), credit(one, second, 4n)]
  for (const [block, credits] of [
    [0n, []],
    [1n, [credit(one, token, 10n)]],
    [2n, [credit(one, token, 10n), credit(other, token, 7n)]],
    [3n, [credit(one, token, 10n), ...others]],
    [4n, [credit(one, token, 0n), ...others]],
    [5n, [credit(one, token, 3n), ...others]],
  ] as const)
    expect(new Set(await rowsAt('credit', block, block)), `block ${block}`).toEqual(new Set(credits))
})
