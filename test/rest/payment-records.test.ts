/** Every figure of the payment records, computed again in SQL from the files of claims and settlements alone. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../support/postgres.ts'
import { readCsv } from './csv.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client
beforeAll(async () => {
  gateway = await startReadGateway()
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
  await gateway?.stop()
})

type Cells = Readonly<Record<string, string | undefined>>

/** Loads a file as a table of texts. @returns the rows, and the block of the file */
async function load(name: string) {
  const response = await gateway.get(`/exports/${name}.csv`)
  const [header = [], ...records] = readCsv(await response.text())
  const rows = records.map((record) => Object.fromEntries(header.map((column, i) => [column, record[i]])))
  const table = pg.escapeIdentifier(name)
  const columns = header.map((column) => `${pg.escapeIdentifier(column)} text`)
  await client.query(`create temporary table ${table} (${columns.join(', ')})`)
  await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
    JSON.stringify(rows),
  ])
  return { rows, block: response.headers.get('X-Finalized-Through') }
}

/** Days of delay are those of the calendar of Postgres; `$1` is the time of the block. */
const AGAIN = `
  with owed as (
    select issuer, token, "claimId" as id, "faceValue"::numeric as face, "dueDate"::timestamptz as due,
      date_trunc('day', "dueDate"::timestamptz, 'UTC') + interval '91 days' as worthless
    from claims where state <> 'REVOKED'
  ), payment as (
    select owed.*, "faceAmount"::numeric as paid, "settledAt"::timestamptz as at,
      greatest(extract(day from "settledAt"::timestamptz - due), 0) as days
    from settlements join owed on owed.id = settlements."claimId"
  ), unpaid as (
    select owed.*, face - coalesce((select sum(paid) from payment where payment.id = owed.id), 0) as rest from owed
  ), paid as (
    select issuer, token, sum(paid) as settled, sum(paid * days) as face_days,
      sum(case when days < 1 then paid else 0 end) as on_time, sum(case when days = 1 then paid else 0 end) as day,
      sum(case when days > 1 and days <= 7 then paid else 0 end) as week,
      sum(case when days > 7 and days <= 30 then paid else 0 end) as month,
      sum(case when days > 30 and days <= 90 then paid else 0 end) as quarter,
      sum(case when days > 90 then paid else 0 end) as more,
      sum(case when at >= worthless then paid else 0 end) as recovered
    from payment group by 1, 2
  ), open as (
    select issuer, token, sum(rest) as outstanding, sum(case when due < $1 then rest else 0 end) as overdue,
      sum(case when worthless <= $1 then rest else 0 end) as lost
    from unpaid group by 1, 2
  )
  select issuer, token, coalesce(settled, 0)::text as settled, coalesce(on_time, 0)::text as "onTime",
    coalesce(day, 0)::text as "late_upTo1", coalesce(week, 0)::text as "late_upTo7",
    coalesce(month, 0)::text as "late_upTo30", coalesce(quarter, 0)::text as "late_upTo90",
    coalesce(more, 0)::text as late_more, coalesce(trunc(face_days / settled, 2)::float8::text, '') as "averageDaysLate",
    (lost + coalesce(recovered, 0))::text as impaired, coalesce(recovered, 0)::text as recovered,
    outstanding::text, overdue::text
  from open left join paid using (issuer, token) order by issuer, token`

describe('the payment records of all issuers', () => {
  it('are what the files of claims and settlements add up to', async () => {
    const files = [await load('claims'), await load('settlements'), await load('paymentRecords')]
    const [block, ...others] = new Set(files.map((file) => file.block))
    expect(others).toEqual([])
    const response = await gateway.app.request('/api/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ _meta { finalizedThrough { blockNumber timestamp } } }' }),
    })
    const { blockNumber, timestamp } = (await response.json()).data._meta.finalizedThrough
    expect(String(blockNumber)).toBe(block)
    const { rows } = await client.query(AGAIN, [timestamp])
    const records = (files[2]?.rows ?? []).map(
      (record): Cells => ({
        ...record,
        averageDaysLate: record.averageDaysLate && String(Number(record.averageDaysLate)),
      }),
    )
    const keyOf = (row: Cells) => `${row.issuer} ${row.token}`
    expect(records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))).toEqual(rows)
    for (const name of ['settled', 'late_upTo1', 'overdue'])
      expect([name, rows.some((row) => row[name] !== '0')]).toEqual([name, true])
  })
})
