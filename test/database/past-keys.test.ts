/** Tables as of a block: a row has what the events of its own key left, where other keys share a part with it. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import { relationAsOf } from '../../api/projection/past/as-of.ts'
import { valuesAt } from '../../api/projection/past/at.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { type Table, view } from '../../api/projection/sql/source.ts'
import { toStatement } from '../../api/projection/sql/statement.ts'
import { makeProjection } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'

/** The block is at eight in the morning. Each block before it is a second earlier. */
const BLOCK = 20
const TIME = 1_800_000_000
const DAY = TIME - (TIME % 86_400)
const at = (block: number) => TIME - BLOCK + block
const id = (block: number) => String(firstOrdinalOf(BigInt(block)))

/** The first part of a key and the second one. */
const PAIRS = [
  ['a', '0'],
  ['a', '1'],
  ['b', '0'],
  ['b', '1'],
] as const
/** Each key has an event in two blocks before the block, in turn, and in one after it. */
const ROUNDS = [11, 15, 21]

/** No two events have an equal amount. */
const amountOf = (key: number, round: number) => 10 ** (3 - round) * (key + 1)
/** A figure of the key after the event. */
const after = (key: number, round: number) => 5 * amountOf(key, round)

/** Rows of SQL for each event of as many keys. */
const events = (keys: number, values: (key: number, round: number, block: number) => string) =>
  ROUNDS.flatMap((first, round) =>
    Array.from({ length: keys }, (_, key) => `(${values(key, round, first + key)})`),
  ).join()
const ofPairs = (values: (one: string, other: string) => string) =>
  PAIRS.map(([one, other]) => `(${values(one, other)})`).join()
const quoted = (key: number) => `'${PAIRS[key]?.join("', '")}'`
const single = (key: number) => `'${'ab'[key]}'`

const TERMS = '3, 0, 90, 1, 1000, 8000, 1000000'
const isOn = (key: number, round: number) => (key + round) % 2 === 0

const INSERTS = [
  `vault_position values ${ofPairs((vault, owner) => `'${vault}', '${owner}', 9, 9, 9, 9, 9, 9, 9`)}`,
  `position_change values ${events(4, (key, round, block) => {
    const figures = Array.from({ length: 6 }, () => after(key, round))
    return `${id(block)}, ${quoted(key)}, 'DEPOSIT', ${amountOf(key, round)}, 1, null, ${figures}, 0, 0, ${block}, ${at(block)}, 'tx'`
  })}`,
  `credit values ${ofPairs((account, token) => `'${account}', '${token}', 9`)}`,
  `activity values ${events(4, (key, round, block) => {
    const [account, token] = PAIRS[key] ?? []
    const kind = round === 1 ? 'CREDIT_WITHDRAWN' : 'CREDITED'
    return `${id(block)}, '${account}', '${kind}', '${token}', ${amountOf(key, round)}, null, null, null, ${block}, ${at(block)}, 'tx'`
  })}`,
  `vault values ${['a', 'b'].map((vault) => `('${vault}', 'token', 'none', 'V', 'V', true, ${TERMS}, 9, 9, '{}', 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 9, 1, ${at(1)}, 30, ${at(30)})`)}`,
  `vault_version values ${events(2, (key, round, block) => `${single(key)}, ${block}, ${at(block)}, 'curator ${key} ${round}', true, ${TERMS}, ${amountOf(key, round)}, 0, '{}'`)}`,
  `capital_change values ${events(2, (key, round, block) => `${id(block)}, ${single(key)}, 'DEPOSIT', ${amountOf(key, round)}, null, null, null, ${after(key, round)}, 0, 0, 0, 0, 0, 0, 0, 0, ${block}, ${at(block)}, 'tx'`)}`,
  `issuer values ('a', true, 9, 1, ${at(1)}, 0), ('b', true, 9, 1, ${at(1)}, 0)`,
  `token values ('c', 'T', 'T', 6, true, 1, ${at(1)}, 9, 9), ('d', 'T', 'T', 6, true, 1, ${at(1)}, 9, 9)`,
  ...[0, 2].map(
    (first) =>
      `status_version values ${events(2, (key, round, block) => `'${'abcd'[first + key]}', ${block}, ${at(block)}, ${isOn(key, round + first / 2)}`)}`,
  ),
  `claim values ${['a', 'b'].map((claim) => `('${claim}', 'issuer ${claim}', 'beneficiary', 'token', 10000000, 9, 9, ${at(900)}, 0, 9, 'SETTLED', 'document', 1, ${at(1)}, 'tx', 1, 1, 30, ${at(30)})`)}`,
  `allocation values ${ofPairs((claim, slice) => `'${claim}', ${slice}, 'z', 'execution', 'token', 'issuer ${claim}', 0, ${at(900)}, true, ${claim === 'a' ? 7 : 8}000, 1, 9, 9, 2, ${at(2)}, 1, null, null`)}`,
  `settlement values ${events(2, (key, round, block) => {
    const slices = [2 * key, 2 * key + 1].map((slice) => amountOf(slice, round))
    return `${id(block)}, ${single(key)}, 'payer', 'beneficiary', 'token', 'issuer ${'ab'[key]}', 0, ${amountOf(key, round)}, array[${slices}], 1, 1, ${block}, ${at(block)}, 'tx'`
  })}`,
  `capital_change values ${events(4, (key, round, block) => {
    const figures = Array.from({ length: 9 }, () => 0)
    return `${id(block)} + 1, 'z', 'REPAYMENT', ${amountOf(key, round)}, ${quoted(key)}, 0, ${figures}, ${block}, ${at(block)}, 'tx'`
  })}`,
]

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: pg.Pool
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 1)
  await makeProjection(pool, async (query) => {
    for (const insert of INSERTS) await query(`insert into ${insert}`)
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const asText = { getTypeParser: () => (text: string) => text }

/** Sum of the events of the key until the block. */
const sumOf = (key: number) => amountOf(key, 0) + amountOf(key, 1)
const ofEachPair = (figures: (key: number) => readonly unknown[]) =>
  PAIRS.map((pair, key) => [...pair, ...figures(key)])
const ofEach = (keys: string, figures: (key: number) => readonly unknown[]) =>
  [...keys].map((name, key) => [name, ...figures(key)])

it.each<[table: Table, columns: string, rows: readonly unknown[][]]>([
  ['vaultPosition', 'vault, owner, shares, deposited', ofEachPair((key) => [after(key, 1), after(key, 1)])],
  [
    'positionDay',
    'vault, owner, day, deposited, shares',
    ofEachPair((key) => [DAY, sumOf(key), after(key, 1)]),
  ],
  ['credit', 'account, token, amount', ofEachPair((key) => [amountOf(key, 0) - amountOf(key, 1)])],
  [
    'vault',
    'address, curator, base_discount_bps, idle_assets',
    ofEach('ab', (key) => [`curator ${key} 1`, amountOf(key, 1), after(key, 1)]),
  ],
  ['vaultDay', 'vault, day, deposited, idle_assets', ofEach('ab', (key) => [DAY, sumOf(key), after(key, 1)])],
  [
    'vaultTerms',
    'vault, claim_type, total_bps_now',
    ofEach('ab', (key) => [amountOf(key, 1)]).flatMap(([vault, bps]) => [
      [vault, 0, bps],
      [vault, 1, bps],
    ]),
  ],
  ['issuer', 'address, active', ofEach('ab', (key) => [isOn(key, 1) ? 't' : 'f'])],
  ['token', 'address, listed', ofEach('cd', (key) => [isOn(key, 2) ? 't' : 'f'])],
  [
    'allocation',
    'claim_id, slice_index, paid_face, repaid_face',
    ofEachPair((key) => [sumOf(key), sumOf(key)]),
  ],
  [
    'claim',
    'id, financed_face_value, paid_face_value, slice_count',
    ofEach('ab', (key) => [key === 0 ? 14_000 : 16_000, sumOf(key), 2]),
  ],
  [
    'issuerDay',
    'issuer, token, face_settled, face_repaid',
    ofEach('ab', (key) => ['token', sumOf(key), sumOf(2 * key) + sumOf(2 * key + 1)]).map(
      ([issuer, ...rest]) => [`issuer ${issuer}`, ...rest],
    ),
  ],
])('a row of %s as of a block is of the events of its own %s', async (table, columns, rows) => {
  const through = { blockNumber: BigInt(BLOCK), timestamp: BigInt(TIME) }
  const past = relationAsOf(view(table), valuesAt(through))
  const { text, values } = toStatement(sql`select ${sql.raw(columns)} from ${past} order by 1, 2`)
  const found = await pool.query<string[]>({ text, values: [...values], types: asText, rowMode: 'array' })
  expect(found.rows).toEqual(rows.map((row) => row.map(String)))
})
