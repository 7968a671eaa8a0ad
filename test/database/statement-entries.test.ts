/** Entries of a statement of more than one page, one in each second. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBalances, readEntries, type StatementEntry } from '../../api/projection/statements/statement.ts'
import { createTables } from '../support/postgres.ts'

const ISSUER = `0x${'1'.repeat(40)}` as const
const CLAIMS = 1001

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  database = await createTables(`
    create schema projection;
    create table projection.claim (id text, issuer text, state text);
    create table projection.activity (
      id int8, claim_id text, kind text, token text, wallet text, amount numeric, block numeric, at numeric, tx text
    );
    create table projection.token (address text, symbol text, decimals int);
    create table projection.vault (address text, symbol text, token text);
    insert into projection.claim select '0x' || i, '${ISSUER}', 'ELIGIBLE' from generate_series(1, ${CLAIMS}) as i;
    insert into projection.activity
      select i, '0x' || i, 'CLAIM_REGISTERED', '0x2', '0x3', 1, i, i, '0x4'
      from generate_series(1, ${CLAIMS}) as i;
    insert into projection.activity values (${CLAIMS + 1}, '0x1', 'CLAIM_REGISTERED', '0x2', '0x3', 0, 1500, 1500, '0x4')`)
})
afterAll(() => database?.drop())

const FINALIZED = { finalizedThrough: { blockNumber: 2000n, timestamp: 2000n }, publication: 'index' }
const of = (from: bigint, to: bigint) => ({ subject: 'issuer', address: ISSUER, from, to }) as const

it('are all read, page by page and in their order, and none has the amount 0', async () => {
  const entries = await database.db.transaction().execute(async (db) => {
    const all: StatementEntry[] = []
    for await (const page of readEntries({ db, ...FINALIZED }, of(1n, 2000n), 'chain')) all.push(...page)
    return all
  })
  expect(entries.map(({ at }) => Number(at))).toEqual(Array.from({ length: CLAIMS }, (_, i) => i + 1))
  expect(entries.at(-1)?.balanceAfter).toBe(BigInt(CLAIMS))
})

it('are of the period from its first second, and up to the one before its end', async () => {
  const balances = await readBalances({ db: database.db, ...FINALIZED }, of(500n, 600n))
  expect(balances).toMatchObject([{ opening: 499n, increases: 100n, decreases: 0n, closing: 599n }])
})
