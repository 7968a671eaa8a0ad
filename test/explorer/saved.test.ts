/** The saved queries of the desk, over tables of a few rows whose answers a reader can add up. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saved } from '../../explorer/src/desk/saved.ts'

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => connection?.closeSync())

type Value = string | number | boolean | null

/** Makes a table of these rows. Each column has its SQL type. */
async function fill(name: string, columns: string, rows: readonly (readonly Value[])[]): Promise<void> {
  await connection.run(`CREATE OR REPLACE TABLE "${name}" (${columns})`)
  const literal = (value: Value) => (typeof value === 'string' ? `'${value}'` : String(value))
  for (const row of rows) await connection.run(`INSERT INTO "${name}" VALUES (${row.map(literal).join()})`)
}

/** The rows of a saved query, each value as text. */
async function rowsOf(name: string): Promise<(string | null)[][]> {
  const query = saved.find((one) => one.name === name)?.sql
  const answer = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${query})`)
  return answer.getRows().map((row) => row.map((value) => (value === null ? null : String(value))))
}

/** Token `t` has 2 decimals, and `u` has 3. */
const fillTokens = () =>
  fill('tokens', 'address VARCHAR, symbol VARCHAR, decimals INTEGER', [
    ['t', 'TTT', 2],
    ['u', 'UUU', 3],
  ])
/** Issuer `j` has no label. */
const fillIssuers = () =>
  fill('issuers', 'address VARCHAR, label VARCHAR', [
    ['i', 'Issuer'],
    ['j', null],
  ])
const fillVaults = () =>
  fill('vaults', 'address VARCHAR, name VARCHAR, token VARCHAR', [
    ['v', 'First', 't'],
    ['w', 'Second', 't'],
    ['x', 'Third', 'u'],
  ])
const AMOUNT = 'DECIMAL(38,0)'

it('a delay costs the discount of a day of the term for each day after the due date', async () => {
  await Promise.all([fillTokens(), fillIssuers(), fillVaults()])
  await fill('claims', 'claimId VARCHAR, issuer VARCHAR', [
    ['a', 'i'],
    ['b', 'j'],
  ])
  await fill('activity', '"at" TIMESTAMP', [['2026-03-01'], ['2026-03-11 12:00:00']])
  const columns = `claimId VARCHAR, vault VARCHAR, token VARCHAR, fundedAt TIMESTAMP, dueDate TIMESTAMP,
    repaidAt TIMESTAMP, discountAmount_decimal ${AMOUNT}`
  await fill('allocations', columns, [
    // Four days late, at 100.00 for ten days.
    ['a', 'v', 't', '2026-01-01', '2026-01-11', '2026-01-15', 10_000],
    // Paid before it is due.
    ['a', 'v', 't', '2026-01-01', '2026-01-11', '2026-01-02', 10_000],
    // Unpaid: one day late at the last event, of a term below a day.
    ['a', 'w', 't', '2026-03-10 10:00:00', '2026-03-10 20:00:00', null, 700],
    ['b', 'x', 'u', '2026-01-01', '2026-01-03', '2026-01-04', 3000],
  ])
  expect(await rowsOf('late-payers')).toEqual([
    ['Issuer, TTT', 'First', '2', '2.0', '40.0'],
    ['Issuer, TTT', 'Second', '1', '1.0', '7.0'],
    ['j, UUU', 'Third', '1', '1.0', '1.5'],
  ])
})

it('the record of an issuer states the share that was paid on time, and an issuer without payments stands last', async () => {
  await Promise.all([fillTokens(), fillIssuers()])
  const columns = `issuer VARCHAR, token VARCHAR, averageDaysLate DOUBLE, settled_decimal ${AMOUNT},
    onTime_decimal ${AMOUNT}, overdue_decimal ${AMOUNT}`
  await fill('paymentRecords', columns, [
    ['i', 't', null, 0, 0, 1234],
    ['j', 'u', 1.26, 4000, 1000, 0],
    ['i', 'u', 1.26, 3000, 3000, 1],
    ['j', 't', 7, 100, 0, 50],
  ])
  expect(await rowsOf('payment-records')).toEqual([
    ['j, TTT', '7.0', '1.0', '0.0', '0.5'],
    ['Issuer, UUU', '1.3', '3.0', '100.0', '0.0'],
    ['j, UUU', '1.3', '4.0', '25.0', '0.0'],
    ['Issuer, TTT', null, '0.0', null, '12.34'],
  ])
})

const FINANCED = `claimId VARCHAR, vault VARCHAR, token VARCHAR, fundedAt TIMESTAMP, dueDate TIMESTAMP,
  faceAmount_decimal ${AMOUNT}, discountAmount_decimal ${AMOUNT}`

it('the discount of a claim type is the average of a month, weighted by face', async () => {
  await fill('claims', 'claimId VARCHAR, claimTypeLabel VARCHAR', [
    ['a', 'Invoice'],
    ['b', 'Lease'],
  ])
  await fill('allocations', FINANCED, [
    ['a', 'v', 't', '2026-01-31 23:59:59', '2026-05-01', 1000, 10],
    ['a', 'v', 't', '2026-01-01', '2026-05-01', 3000, 150],
    ['b', 'v', 't', '2026-01-01', '2026-05-01', 3000, 100],
    ['a', 'v', 't', '2026-02-01', '2026-05-01', 1000, 20],
  ])
  expect(await rowsOf('discount-by-type')).toEqual([
    ['2026-01', 'Invoice', '2', '4.0'],
    ['2026-01', 'Lease', '1', '3.33'],
    ['2026-02', 'Invoice', '1', '2.0'],
  ])
})

it('the rate of a vault is its average discount, weighted by face, beside its mean term', async () => {
  await Promise.all([fillTokens(), fillVaults()])
  await fill('allocations', FINANCED, [
    ['a', 'w', 't', '2026-01-01', '2026-01-11', 1000, 10],
    ['a', 'w', 't', '2026-01-01', '2026-01-16', 3000, 150],
    ['a', 'v', 't', '2026-01-01', '2026-01-31', 1000, 40],
    ['a', 'x', 'u', '2026-01-01', '2026-01-31', 3000, 100],
  ])
  expect(await rowsOf('vault-rates')).toEqual([
    ['Third', 'UUU', '1', '3.33', '30.0'],
    ['First', 'TTT', '1', '4.0', '30.0'],
    ['Second', 'TTT', '2', '4.0', '12.5'],
  ])
})

it('the share of an issuer in a vault counts only face that is neither repaid nor settled', async () => {
  await fillVaults()
  await fill('claims', 'claimId VARCHAR, issuer VARCHAR', [
    ['a', 'i'],
    ['b', 'j'],
    ['c', 'i'],
  ])
  const columns = `claimId VARCHAR, vault VARCHAR, faceAmount_decimal ${AMOUNT}, repaidFace_decimal ${AMOUNT},
    settled BOOLEAN`
  await fill('allocations', columns, [
    ['a', 'v', 700, 100, false],
    ['c', 'v', 200, 0, false],
    ['b', 'v', 200, 0, false],
    ['b', 'v', 900, 0, true],
    ['a', 'w', 500, 0, false],
    ['a', 'x', 500, 0, false],
    ['b', 'x', 500, 500, false],
  ])
  expect(await rowsOf('concentration')).toEqual([
    ['Second', '1', '100.0', '10000.0'],
    ['Third', '1', '100.0', '10000.0'],
    ['First', '2', '80.0', '6800.0'],
  ])
})

it('the utilization of a day is the lent share of lent and idle assets, and null for a vault without assets', async () => {
  await fillVaults()
  const columns = `day TIMESTAMP, vault VARCHAR, outstandingAdvance_decimal ${AMOUNT}, idleAssets_decimal ${AMOUNT}`
  await fill('vaultDays', columns, [
    ['2026-01-02', 'v', 100, 200],
    ['2026-01-01', 'w', 0, 0],
    ['2026-01-01', 'v', 0, 5],
  ])
  expect(await rowsOf('utilization')).toEqual([
    ['2026-01-01', 'First', '0.0'],
    ['2026-01-01', 'Second', null],
    ['2026-01-02', 'First', '33.33'],
  ])
})

it('the volume of a week begins with its Monday, for each token', async () => {
  await fillTokens()
  await fill('tokenDays', `day TIMESTAMP, token VARCHAR, advanced_decimal ${AMOUNT}`, [
    ['2026-01-12', 'u', 4000],
    ['2026-01-11', 't', 150],
    ['2026-01-05', 't', 100],
    ['2026-01-12', 't', 7],
  ])
  expect(await rowsOf('volume')).toEqual([
    ['2026-01-05', 'TTT', '2.5'],
    ['2026-01-12', 'TTT', '0.07'],
    ['2026-01-12', 'UUU', '4.0'],
  ])
})

it('the gain of a lender adds realized and unrealized gains, and the largest position stands first', async () => {
  await Promise.all([fillTokens(), fillVaults()])
  const columns = `owner VARCHAR, vault VARCHAR, assets_decimal ${AMOUNT}, realizedGain_decimal ${AMOUNT},
    unrealizedGain_decimal ${AMOUNT}`
  await fill('vaultPositions', columns, [
    ['b', 'v', 1000, 30, -10],
    ['a', 'x', 20_000, 100, 200],
    ['a', 'w', 1000, 0, 1],
    ['a', 'v', 1000, 0, 2],
  ])
  expect(await rowsOf('lenders')).toEqual([
    ['a', 'Third, UUU', '20.0', '0.3'],
    ['a', 'First, TTT', '10.0', '0.02'],
    ['a', 'Second, TTT', '10.0', '0.01'],
    ['b', 'First, TTT', '10.0', '0.2'],
  ])
})

it('a claim that is overdue is unpaid by its face without what was paid, and the oldest stands first', async () => {
  await Promise.all([fillTokens(), fillIssuers()])
  const columns = `claimId VARCHAR, issuer VARCHAR, token VARCHAR, dueDate TIMESTAMP, overdueSince TIMESTAMP,
    faceValue_decimal ${AMOUNT}, paidFaceValue_decimal ${AMOUNT}`
  await fill('claims', columns, [
    ['c', 'i', 't', '2026-01-02', '2026-01-03', 1000, 250],
    ['b', 'i', 't', '2026-01-02', '2026-01-02', 1000, 0],
    ['z', 'j', 'u', '2026-01-01 23:00:00', '2026-01-02', 1000, 0],
    ['d', 'i', 't', '2026-01-01', null, 1000, 0],
  ])
  expect(await rowsOf('overdue')).toEqual([
    ['z', 'j, UUU', '2026-01-01', '1.0'],
    ['b', 'Issuer, TTT', '2026-01-02', '10.0'],
    ['c', 'Issuer, TTT', '2026-01-02', '7.5'],
  ])
})

it('the time to money ends with the first slice, in the month of the registration', async () => {
  await fill('claims', 'claimId VARCHAR, registeredAt TIMESTAMP', [
    ['a', '2026-01-31 00:00:00'],
    ['b', '2026-01-01 00:00:00'],
    ['c', '2026-02-01 00:00:00'],
    ['d', '2026-02-01 00:00:00'],
  ])
  await fill('allocations', 'claimId VARCHAR, fundedAt TIMESTAMP', [
    ['a', '2026-02-03 00:00:00'],
    ['a', '2026-02-01 12:00:00'],
    ['b', '2026-01-01 12:00:00'],
    ['c', '2026-02-02 00:00:00'],
  ])
  expect(await rowsOf('time-to-money')).toEqual([
    ['2026-01', '2', '1.0'],
    ['2026-02', '1', '1.0'],
  ])
})

it('a holder has its advances by token, with the average cost weighted by face', async () => {
  await fillTokens()
  const columns = `"user" VARCHAR, token VARCHAR, totalAdvance_decimal ${AMOUNT}, totalCost_decimal ${AMOUNT},
    totalFace_decimal ${AMOUNT}`
  await fill('executions', columns, [
    ['0x1234567890', 't', 9900, 100, 10_000],
    ['0x1234567890', 't', 29_000, 1000, 30_000],
    ['0x1234567890', 'u', 9600, 400, 10_000],
    ['0xabcdef7890', 't', 38_900, 100, 39_000],
  ])
  expect(await rowsOf('holders')).toEqual([
    ['0x123456…, TTT', '2', '389.0', '2.75'],
    ['0xabcdef…, TTT', '1', '389.0', '0.26'],
    ['0x123456…, UUU', '1', '9.6', '4.0'],
  ])
})
