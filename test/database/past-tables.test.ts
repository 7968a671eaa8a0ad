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
    create table projection.allocation (
      claim_id text, face_amount numeric, funded_block numeric, funded_at numeric, slice_index int, vault text,
      issuer text, token text, due_at numeric, settled boolean, paid_face numeric
    );
    create table projection.settlement (
      claim_id text, issuer text, token text, face_amount numeric, block numeric, at numeric, slice_amounts numeric[]
    );
    create table projection.issuer (address text, added_block numeric, added_at numeric);
    create table projection.status_version (subject text, block numeric, at numeric, status boolean);
    create table projection.due_day (
      vault text, issuer text, token text, day numeric, face_due numeric, face_settled numeric
    );
    create table projection.activity (
      id int8, claim_id text, kind text, block numeric, at numeric, wallet text, token text, amount numeric
    );
    create table projection.credit (account text, token text, amount numeric)`)
})
afterAll(() => database?.drop())

async function rowsAt(
  table: 'claim' | 'credit' | 'dueDay' | 'executionLeg' | 'issuer' | 'paymentRecord',
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

it('have an issuer with the claims that it has registered, also where several are of one second', async () => {
  const claims = [
    [1, '0x1', 4, 40],
    [2, '0x1', 5, 50],
    [3, '0x1', 5, 50],
    [1, '0x2', 5, 50],
    [4, '0x1', 6, 50],
  ] as const
  const values = claims.map(
    ([number, issuer, block, at], place) =>
      `('0xc${place}', '${issuer}', ${block}, ${at}, ${ordinalOf(BigInt(block), BigInt(place))}, ${number})`,
  )
  await database.pool.query(`
    truncate projection.claim;
    insert into projection.claim (id, issuer, registered_block, registered_at, ordinal, issuer_claim_number)
      values ${values};
    insert into projection.issuer values ('0x1', 3, 30), ('0x2', 3, 30);
    insert into projection.status_version values ('0x1', 3, 30, true), ('0x2', 3, 30, true), ('0x2', 6, 50, false)`)
  const countsAt = async (block: bigint, timestamp: bigint) =>
    new Set(
      (await rowsAt('issuer', block, timestamp)).map((row) => {
        const { address, active, claimCount } = Object(row)
        return [address, active, claimCount].join(' ')
      }),
    )
  expect(await countsAt(2n, 20n)).toEqual(new Set())
  expect(await countsAt(3n, 30n)).toEqual(new Set(['0x1 true 0', '0x2 true 0']))
  expect(await countsAt(4n, 40n)).toEqual(new Set(['0x1 true 1', '0x2 true 0']))
  expect(await countsAt(5n, 50n)).toEqual(new Set(['0x1 true 3', '0x2 true 1']))
  expect(await countsAt(6n, 50n)).toEqual(new Set(['0x1 true 4', '0x2 false 1']))
})

it('have the dues of the day of the block by what was financed and paid until the block', async () => {
  const [day, next] = [100 * DAY, 101 * DAY]
  const now = day + 50
  const slices = [
    ...[
      ['0xa', 8, 1, 10, 0, '0xf', day, 8],
      ['0xa', 40, 1, 10, 1, '0xe', day, 30],
    ],
    // Financed in the block, in a later one of its second, and in a later second.
    ...[
      ['0xb', 600, 5, now, 0, '0xe', next - 1, 0],
      ['0xc', 7000, 6, now, 0, '0xe', day + 60, 0],
      ['0xd', 80_000, 7, now + 5, 0, '0xe', next - 1, 0],
    ],
    ['0x5', 900_000, 1, 10, 0, '0xe', day - 1, 107],
    ['0x6', 9_000_000, 1, 10, 0, '0xe', next, 0],
  ].map(
    ([claim, face, block, at, index, vault, dueAt, paid]) =>
      `('${claim}', ${face}, ${block}, ${at}, ${index}, '${vault}', '0x1', '0x3', ${dueAt}, false, ${paid})`,
  )
  const payments = [
    ['0xa', 5, now, '{8,30}'],
    ['0x5', 2, day - 1, '{100}'],
    ['0x5', 5, now, '{3}'],
    ['0x5', 6, now, '{4}'],
  ].map(([claim, block, at, amounts]) => `('${claim}', '0x1', '0x3', 1, ${block}, ${at}, '${amounts}')`)
  await database.pool.query(`
    truncate projection.allocation, projection.settlement;
    insert into projection.allocation values ${slices};
    insert into projection.settlement values ${payments};
    insert into projection.due_day values
      ('0xe', '0x1', '0x3', ${day - DAY}, 900000, 100), ('0xe', '0x1', '0x3', ${day}, 1, 1),
      ('0xe', '0x1', '0x3', ${next}, 1, 1)`)
  const duesAt = async (block: bigint, timestamp: number) =>
    (await rowsAt('dueDay', block, BigInt(timestamp)))
      .map((row) => {
        const { vault, day: of, faceDue, faceSettled } = Object(row)
        return [vault, Number(of) / DAY, faceDue, faceSettled].join(' ')
      })
      .toSorted()
  const before = '0xe 99 900000 100'
  expect(await duesAt(4n, now - 1)).toEqual(['0xe 100 40 0', before, '0xf 100 8 0'])
  expect(await duesAt(5n, now)).toEqual(['0xe 100 640 33', before, '0xf 100 8 8'])
  expect(await duesAt(6n, now)).toEqual(['0xe 100 7640 37', before, '0xf 100 8 8'])
  expect(await duesAt(7n, now + 5)).toEqual(['0xe 100 87640 37', before, '0xf 100 8 8'])
})
