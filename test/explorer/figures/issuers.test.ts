/** The figures and charts of issuers equal those that DuckDB makes of the lists behind them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LADDER, LADDER_COLUMNS, ladderOf } from './ladder.ts'
import { PAYMENTS } from './payments.ts'
import { type Figures, numbersOf, openFigures, percent, writeDays } from './support.ts'

let the: Figures
let records: Record[]

type Record = { issuer: string; label: string; token: string; claims: string | null; sums: bigint[] }

beforeAll(async () => {
  the = await openFigures()
  const rows = await the.rowsOf(`
    WITH payments AS (${PAYMENTS}), paid AS (
      SELECT issuer, token, sum(face) AS face, sum(CASE WHEN late = 0 THEN face ELSE 0 END) AS onTime,
        sum(face::HUGEINT * late) AS faceDays
      FROM payments GROUP BY ALL
    ), owed AS (
      SELECT issuer, token, sum(faceValue_decimal - paidFaceValue_decimal) AS unpaid,
        sum(CASE WHEN epoch(dueDate) < ${the.now} THEN faceValue_decimal - paidFaceValue_decimal ELSE 0 END) AS overdue
      FROM claims WHERE state <> 'REVOKED' GROUP BY ALL
    )
    SELECT issuer, any_value(label), token,
      (SELECT count(*) FROM claims WHERE issuer = c.issuer), any_value(paid.face), any_value(unpaid), any_value(overdue),
      any_value(onTime), any_value(faceDays)
    FROM claims c JOIN issuers i ON i.address = c.issuer
      LEFT JOIN paid USING (issuer, token) LEFT JOIN owed USING (issuer, token)
    GROUP BY issuer, token ORDER BY issuer, token`)
  records = rows.map(([issuer, label, token, claims, ...sums]) => ({
    issuer: issuer ?? '',
    label: label ?? `${issuer?.slice(0, 6)}…${issuer?.slice(-4)}`,
    token: token ?? '',
    claims: claims ?? null,
    sums: numbersOf(sums),
  }))
})
afterAll(() => the?.stop())

const sectionOf = async (token: string) => `Record in ${(await the.writerOf(token)).symbol}`

/** Mean days of a delay, as the pages write them. */
const delayOf = ({ sums: [paid = 0n, , , , faceDays = 0n] }: Record) =>
  paid > 0n ? writeDays((faceDays * 100n) / paid) : '–'

it('the table of issuers has their claims and payments, and the chart their delays, for each token', async () => {
  const tokens = new Set(records.map(({ token }) => token))
  expect(tokens.size).toBeGreaterThan(1)
  expect(new Set(records.map(delayOf)).size).toBeGreaterThan(2)
  for (const token of tokens) {
    const { write } = await the.writerOf(token)
    const own = records.filter((record) => record.token === token)
    const expected = own.map((record) => {
      const { label, claims, sums } = record
      const [paid = 0n, unpaid, overdue, onTime = 0n] = sums
      const share = paid > 0n ? percent(onTime, paid) : '–'
      return [label, claims, delayOf(record), write(paid), share, write(unpaid), write(overdue)]
    })
    await the.go(`issuers?token=${token}`)
    const columns = [
      'Issuer',
      'Claims in all tokens',
      'Days late, mean',
      'Paid',
      'On time',
      'Unpaid',
      'Overdue',
    ]
    expect((await the.tableOf('Payment records', columns)).sort()).toEqual(expected.sort())
    const delays = own.map((record) => [record.label, delayOf(record)]).filter(([, delay]) => delay !== '–')
    const chart = await the.tableOf('Mean days from the due date to the payment', ['Issuer', 'Days'])
    expect(chart.sort()).toEqual(delays.sort())
  }
})

it('the page of each issuer has its claims and payments, and what it owes to vaults by month', async () => {
  let ladders = 0
  for (const issuer of new Set(records.map(({ issuer }) => issuer))) {
    await the.go(`issuers/${issuer}`)
    for (const { token, claims, sums } of records.filter((record) => record.issuer === issuer)) {
      const { write } = await the.writerOf(token)
      const section = await sectionOf(token)
      const [paid, unpaid, overdue] = sums
      const names = ['Paid', 'Unpaid face of its claims', 'Of this, overdue']
      expect(await the.figuresOf(names, section)).toEqual([write(paid), write(unpaid), write(overdue)])
      expect(await the.page.locator('main > p').first().textContent()).toContain(` · ${claims} claims`)
      const rows = await ladderOf(the, `c.issuer = '${issuer}' AND a.token = '${token}'`)
      if (rows.length > 0) ladders++
      expect(await the.tableOf(LADDER, LADDER_COLUMNS, section)).toEqual(
        rows.map(([due, face, advance, count]) => [due, write(face), write(advance), count]),
      )
    }
  }
  expect(ladders).toBeGreaterThan(2)
})

it('the page of an issuer has its payments by days late, and the paid shares of its claims by month', async () => {
  const [[issuer, token] = []] = await the.rowsOf(`
    SELECT issuer, token FROM (${PAYMENTS}) GROUP BY ALL
    ORDER BY sum(CASE WHEN isRecovered THEN 1 ELSE 0 END) DESC, count(DISTINCT late) DESC, issuer, token LIMIT 1`)
  const { write } = await the.writerOf(token)
  await the.go(`issuers/${issuer}`)
  const section = await sectionOf(token ?? '')
  const own = `issuer = '${issuer}' AND token = '${token}'`
  const ofPayments = async (value: string, where = 'true') => {
    const [[sum] = []] = await the.rowsOf(
      `SELECT coalesce(sum(${value}), 0) FROM (${PAYMENTS}) WHERE ${own} AND ${where}`,
    )
    return BigInt(sum ?? 0)
  }
  const paid = await ofPayments('face')
  const recovered = await ofPayments('face', 'isRecovered')
  const [[unpaid] = []] = await the.rowsOf(`
    SELECT coalesce(sum(faceValue_decimal - paidFaceValue_decimal), 0) FROM claims
    WHERE ${own} AND state <> 'REVOKED' AND to_timestamp(${the.now}) >= date_trunc('day', dueDate) + INTERVAL '91 days'`)
  const meanLate = ((await ofPayments('face::HUGEINT * late')) * 100n) / paid
  const names = ['Days late, mean', 'Paid on time', 'Written down', 'Recovered']
  expect(await the.figuresOf(names, section)).toEqual([
    writeDays(meanLate),
    percent(await ofPayments('face', 'late = 0'), paid),
    write(recovered + BigInt(unpaid ?? 0)),
    write(recovered),
  ])

  const ranges: [string, string][] = [
    ['on time', 'late = 0'],
    ['1 day', 'late = 1'],
    ['2 to 7', 'late BETWEEN 2 AND 7'],
    ['8 to 30', 'late BETWEEN 8 AND 30'],
    ['31 to 90', 'late BETWEEN 31 AND 90'],
    ['more', 'late > 90'],
  ]
  const byDelay = []
  for (const [name, where] of ranges) {
    const face = await ofPayments('face', where)
    byDelay.push([name, write(face), percent(face, paid)])
  }
  expect(byDelay.filter(([, , share]) => share !== '0 %').length).toBeGreaterThan(1)
  expect(await the.tableOf('Paid face by days late', ['Days late', 'Face', 'Share'], section)).toEqual(
    byDelay,
  )
})

const MONTHS = 12

it('the page of each issuer has the paid shares of its claims by months from their registration', async () => {
  const now = `to_timestamp(${the.now})`
  const monthsOf = (from: string, to: string) => `date_diff('month', ${from}, ${to})`
  let shares = 0
  for (const issuer of new Set(records.map(({ issuer }) => issuer))) {
    await the.go(`issuers/${issuer}`)
    for (const { token } of records.filter((record) => record.issuer === issuer)) {
      const { write } = await the.writerOf(token)
      const own = `issuer = '${issuer}' AND c.token = '${token}' AND state <> 'REVOKED'`
      const months = await the.rowsOf(`
        SELECT strftime(registeredAt, '%Y-%m') AS month, sum(faceValue_decimal), any_value(${monthsOf('registeredAt', now)})
        FROM claims c WHERE ${own} AND ${monthsOf('registeredAt', now)} < ${MONTHS} GROUP BY 1 ORDER BY 1`)
      const expected = []
      for (const [month, face, age] of months) {
        const whole = BigInt(face ?? 0)
        const row = []
        for (let after = 0; after <= Number(age); after++) {
          const [[paid] = []] = await the.rowsOf(`
            SELECT coalesce(sum(s.faceAmount_decimal), 0) FROM settlements s JOIN claims c USING (claimId)
            WHERE ${own} AND strftime(registeredAt, '%Y-%m') = '${month}' AND ${monthsOf('registeredAt', 'settledAt')} <= ${after}`)
          row.push(percent(BigInt(paid ?? 0), whole))
        }
        shares += new Set(row).size - 1
        const none = Array.from({ length: MONTHS - row.length }, () => '–')
        expected.push([month, write(face), row.at(-1), ...row, ...none])
      }
      const columns = [
        'Registered',
        'Face',
        'Paid by now',
        ...Array.from({ length: MONTHS }, (_, after) => `${after}`),
      ]
      const shown = await the.tableOf('Paid share by month of registration', columns, await sectionOf(token))
      const most = Math.max(0, ...months.map(([, , age]) => Number(age) + 1))
      const width = columns.length - MONTHS + most
      expect(shown.map((row) => row.slice(0, width))).toEqual(expected.map((row) => row.slice(0, width)))
    }
  }
  expect(shares).toBeGreaterThan(2)
})
