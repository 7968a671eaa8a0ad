/** Every figure of the payment records, computed again by DuckDB from the files of claims and settlements alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { openDuckDb } from '../support/duckdb.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const MONTHS = 6

/**
 * Days of delay are those of the calendar of DuckDB. Sums are exact: those beyond 2^127, which HUGEINT does not hold,
 * are errors of DuckDB. The largest are face times hundredths of days.
 */
const PARTS = `
  create view owed as
    select issuer, token, claimId as id, faceValue::hugeint as face, dueDate::timestamp as due,
      date_trunc('day', due) + interval 91 days as worthless, date_trunc('month', registeredAt::timestamp) as month
    from claims where state <> 'REVOKED';
  create view payment as
    select owed.*, faceAmount::hugeint as paid, settledAt::timestamp as paid_at,
      greatest(date_sub('day', due, settledAt::timestamp), 0) as days
    from settlements join owed on owed.id = settlements.claimId;
  create view unpaid as
    select owed.*, face - coalesce((select sum(paid) from payment where payment.id = owed.id), 0) as rest from owed`

const RECORDS = `
  with paid as (
    select issuer, token, sum(paid) as settled, (100 * sum(paid * days)) // sum(paid) as hundredths,
      sum(paid) filter (days < 1) as on_time, sum(paid) filter (days = 1) as day,
      sum(paid) filter (days between 2 and 7) as week, sum(paid) filter (days between 8 and 30) as month,
      sum(paid) filter (days between 31 and 90) as quarter, sum(paid) filter (days > 90) as more,
      sum(paid) filter (paid_at >= worthless) as recovered
    from payment group by all
  ), open as (
    select issuer, token, sum(rest) as outstanding, sum(rest) filter (due < $now::timestamp) as overdue,
      sum(rest) filter (worthless <= $now::timestamp) as lost
    from unpaid group by all
  )
  select issuer, token, hundredths, coalesce(settled, 0) as settled, coalesce(on_time, 0) as onTime,
    coalesce(day, 0) as late_upTo1, coalesce(week, 0) as late_upTo7, coalesce(month, 0) as late_upTo30,
    coalesce(quarter, 0) as late_upTo90, coalesce(more, 0) as late_more,
    coalesce(lost, 0) + coalesce(recovered, 0) as impaired, coalesce(recovered, 0) as recovered,
    outstanding, coalesce(overdue, 0) as overdue
  from open left join paid using (issuer, token) order by issuer, token`

/** One row for each month of registration and each month from it to the current one. */
const COHORTS = `
  with record as (select distinct issuer, token from owed),
  current as (select date_trunc('month', $now::timestamp) as last),
  place as (
    select issuer, token, last - to_months(back::int) as month, unnest(range(0, back + 1)) as age
    from record, current, range(0, ${MONTHS}) as months (back)
  ), registered as (
    select issuer, token, month, sum(face) as face from owed group by all
  ), paid as (
    select issuer, token, month, date_diff('month', month, paid_at) as age, sum(paid) as paid from payment group by all
  )
  select issuer, token, strftime(month, '%Y-%m-%dT%H:%M:%SZ') as month, coalesce(face, 0) as face, age,
    coalesce(paid, 0) as paid, coalesce(10000 * paid // face, 0)::int as paidBps
  from place left join registered using (issuer, token, month) left join paid using (issuer, token, month, age)
  order by issuer, token, month, age`

let gateway: ReadGateway
let folder: string
let database: Awaited<ReturnType<typeof openDuckDb>>
let now: string
beforeAll(async () => {
  gateway = await startReadGateway()
  folder = await mkdtemp(join(tmpdir(), 'records-'))
  database = await openDuckDb(folder)
  const { blockNumber, timestamp } = (await ask('{ _meta { finalizedThrough { blockNumber timestamp } } }'))
    ._meta.finalizedThrough
  now = timestamp
  for (const name of ['claims', 'settlements', 'paymentRecords']) {
    const response = await gateway.get(`/exports/${name}.csv`)
    expect([name, response.headers.get('X-Finalized-Through')]).toEqual([name, String(blockNumber)])
    const file = join(folder, `${name}.csv`)
    await writeFile(file, await response.text())
    await database.query(
      `create table ${name} as from read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`,
    )
  }
  await database.query(PARTS)
})
afterAll(async () => {
  database?.close()
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function ask(query: string) {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()).data
}

type RecordOfCohorts = {
  readonly issuer: { readonly address: string }
  readonly tokenInfo: { readonly address: string }
  readonly cohorts: readonly {
    readonly month: string
    readonly face: string
    readonly paid: readonly string[]
    readonly paidBps: readonly number[]
  }[]
}

describe('the payment records of all issuers', () => {
  it('are what the files of claims and settlements add up to', async () => {
    const files = await database.query('from paymentRecords order by issuer, token')
    const computed = await database.query(RECORDS, { now })
    const expected = computed.map(({ hundredths, ...row }) => ({
      ...row,
      averageDaysLate: hundredths === null ? null : Number(`${hundredths}e-2`),
    }))
    const average = (value: unknown) => (value === null ? null : Number(value))
    expect(
      files.map(({ averageDaysLate, ...row }) => ({ ...row, averageDaysLate: average(averageDaysLate) })),
    ).toEqual(expected)
    for (const name of ['settled', 'late_upTo1', 'overdue'])
      expect([name, computed.some((row) => row[name] !== '0')]).toEqual([name, true])
  })

  it('have the cohorts that these files add up to', async () => {
    const { paymentRecords } = await ask(
      `{ paymentRecords(first: 50) { totalCount nodes { issuer { address } tokenInfo { address } cohorts(months: ${MONTHS}) { month face paid paidBps } } } }`,
    )
    const nodes: RecordOfCohorts[] = paymentRecords.nodes
    expect(nodes.length).toBe(paymentRecords.totalCount)
    const keyOf = ({ issuer, tokenInfo }: RecordOfCohorts) => `${issuer.address} ${tokenInfo.address}`
    const rows = nodes
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .flatMap(({ issuer, tokenInfo, cohorts }) =>
        cohorts.flatMap(({ month, face, paid, paidBps }) =>
          paid.map((part, age) => ({
            issuer: issuer.address,
            token: tokenInfo.address,
            month,
            face,
            age: String(age),
            paid: part,
            paidBps: paidBps[age],
          })),
        ),
      )
    const computed = await database.query(COHORTS, { now })
    expect(rows).toEqual(computed)
    expect(computed.some(({ paidBps }) => Number(paidBps) > 0)).toBe(true)
  })
})
