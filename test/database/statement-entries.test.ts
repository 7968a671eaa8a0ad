/** Entries of statements: more than one page of them, one in each second, and several in one event. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  readBalances,
  readEntries,
  type StatementEntry,
  type StatementOf,
  type StatementOrder,
} from '../../api/projection/statements/statement.ts'
import { createTables } from '../support/postgres.ts'

const ISSUER = `0x${'1'.repeat(40)}` as const
const CLAIMS = 1001
const WALLET = `0x${'5'.repeat(40)}` as const

let database: Awaited<ReturnType<typeof createTables>>
beforeAll(async () => {
  database = await createTables(`
    create schema projection;
    create table projection.claim (id text, issuer text, state text);
    create table projection.activity (
      id int8, claim_id text, kind text, token text, wallet text, amount numeric, block numeric, at numeric, tx text,
      execution_id text
    );
    create table projection.execution_leg (
      execution_id text, leg_index int, claim_id text, vault text, face_amount numeric, advance_amount numeric
    );
    create table projection.settlement (
      id int8, token text, claim_id text, payer text, beneficiary text, face_amount numeric, beneficiary_amount numeric,
      block numeric, at numeric, tx text
    );
    create table projection.position_change (
      id int8, vault text, owner text, kind text, assets numeric, shares numeric, counterparty text, block numeric,
      at numeric, tx text
    );
    create table projection.token (address text, symbol text, decimals int);
    create table projection.vault (address text, symbol text, token text);
    insert into projection.claim select '0x' || i, '${ISSUER}', 'ELIGIBLE' from generate_series(1, ${CLAIMS}) as i;
    insert into projection.activity
      select i, '0x' || i, 'CLAIM_REGISTERED', '0x2', '0x3', 1, i, i, '0x4'
      from generate_series(1, ${CLAIMS}) as i;
    insert into projection.activity values (${CLAIMS + 1}, '0x1', 'CLAIM_REGISTERED', '0x2', '0x3', 0, 1500, 1500, '0x4');
    insert into projection.activity values
      (3000, null, 'EXECUTION', '0xa', '${WALLET}', 0, 1, 1, '0x4', '0xe1'),
      (3010, null, 'EXECUTION', '0xb', '${WALLET}', 0, 2, 2, '0x4', '0xe2');
    insert into projection.execution_leg values
      ('0xe1', 2, '0x1', '0xc', 300, 30), ('0xe1', 0, '0x1', '0xc', 100, 10), ('0xe1', 1, '0x1', '0xc', 200, 20),
      ('0xe2', 0, '0x2', '0xc', 400, 40)`)
})
afterAll(() => database?.drop())

const FINALIZED = { finalizedThrough: { blockNumber: 2000n, timestamp: 2000n }, publication: 'index' }
const of = (from: bigint, to: bigint) => ({ subject: 'issuer', address: ISSUER, from, to }) as const

const readAll = (statement: StatementOf, order: StatementOrder) =>
  database.db.transaction().execute(async (db) => {
    const all: StatementEntry[] = []
    for await (const page of readEntries({ db, ...FINALIZED }, statement, order)) all.push(...page)
    return all
  })

it('are all read, page by page and in their order, and none has the amount 0', async () => {
  const entries = await readAll(of(1n, 2000n), 'chain')
  expect(entries.map(({ at }) => Number(at))).toEqual(Array.from({ length: CLAIMS }, (_, i) => i + 1))
  expect(entries.at(-1)?.balanceAfter).toBe(BigInt(CLAIMS))
})

it('are of the period from its first second, and up to the one before its end', async () => {
  const balances = await readBalances({ db: database.db, ...FINALIZED }, of(500n, 600n))
  expect(balances).toMatchObject([{ opening: 499n, increases: 100n, decreases: 0n, closing: 599n }])
})

it('of an execution are those of one leg after the other, with the balance in their token after each', async () => {
  const statement = { subject: 'wallet', address: WALLET, from: 1n, to: 3n } as const
  const readable = (entries: readonly StatementEntry[]) =>
    entries.map(({ part, account, unit, amount, balanceAfter }) =>
      [part, account, unit, amount, balanceAfter].join(' '),
    )
  const first = [
    ...['0 RECEIVABLE 0xa -100 -100', '1 CASH 0xa 10 10', '2 RECEIVABLE 0xa -200 -300', '3 CASH 0xa 20 30'],
    ...['4 RECEIVABLE 0xa -300 -600', '5 CASH 0xa 30 60'],
  ]
  const second = ['0 RECEIVABLE 0xb -400 -400', '1 CASH 0xb 40 40']
  expect(readable(await readAll(statement, 'chain'))).toEqual([...first, ...second])
  const ofAccount = (account: string) => [...first, ...second].filter((entry) => entry.includes(account))
  expect(readable(await readAll(statement, 'balance'))).toEqual([
    ...ofAccount('CASH'),
    ...ofAccount('RECEIVABLE'),
  ])
})
