/** The desk of the explorer in Chromium: its answers equal those of DuckDB in this process over the same lists. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildExplorer, EXPLORER_FOLDER } from '../../devnet/explorer.ts'
import { TABLES } from '../../explorer/src/desk/names.ts'
import { saved } from '../../explorer/src/desk/saved.ts'
import { formatAmount } from '../../packages/client/src/index.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { launchBrowser } from '../support/browser.ts'
import { serveHttp } from '../support/serve.ts'
import { excessOf, type Visit, violationsOf, visit } from './visit.ts'

let gateway: ReadGateway
let server: Awaited<ReturnType<typeof serveHttp>>
let browser: Browser
let folder: string
let oracle: DuckDBConnection
let desk: Visit

beforeAll(async () => {
  await buildExplorer()
  // Each visit reads its lists again.
  const env = { RATE_LIMIT_DEFAULT: '10000', RATE_LIMIT_COST: '1000000000' }
  gateway = await startReadGateway({ EXPLORER_FOLDER, ...env })
  server = await serveHttp(gateway.app.fetch)
  folder = mkdtempSync(join(tmpdir(), 'desk-'))
  oracle = await (await DuckDBInstance.create(':memory:')).connect()
  await oracle.run("SET TimeZone = 'UTC'")
  for (const name of TABLES) {
    const response = await gateway.get(`/exports/${name}.parquet`)
    const file = join(folder, `${name}.parquet`)
    writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
    await oracle.run(`CREATE TABLE "${name}" AS SELECT * FROM '${file}'`)
  }
  browser = await launchBrowser()
  desk = await visit(browser, `${server.url}/explore/#/desk?query=${saved[0]?.name}`)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = (place: string) => desk.page.goto(`${server.url}/explore/#/${place}`)
const answered = () => desk.page.getByRole('button', { name: 'Download as CSV' }).waitFor()

/** The rows of the table that the page shows. */
const shownRows = () =>
  desk.page
    .locator('main > .scroll tbody tr')
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent)))

async function rowsOf(sql: string): Promise<(string | null)[][]> {
  const answer = await oracle.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
  return answer.getRows().map((row) => row.map((value) => (value === null ? '–' : String(value))))
}

async function run(sql: string): Promise<void> {
  await open(`desk?${new URLSearchParams({ sql })}`)
  await desk.page.getByRole('button', { name: 'Run' }).click()
}

describe.each(saved)('$title', ({ name, sql, chart }) => {
  it('has the rows that DuckDB has here, and a chart', async () => {
    await open(`desk?query=${name}`)
    const rows = await rowsOf(sql)
    expect(rows.length).toBeGreaterThan(0)
    await expect.poll(shownRows).toEqual(rows)
    if (chart) await desk.page.locator('.drawing svg').first().waitFor()
  })
})

type Unit = { decimals: number; symbol: string }

/** Amounts of a page that its figures of these names have, in their titles. */
async function figuresOf(names: readonly string[]): Promise<(string | null)[]> {
  const figure = (name: string) =>
    desk.page.locator('.figures > div', { hasText: name }).first().locator('[title]').getAttribute('title')
  return Promise.all(names.map(figure))
}

async function unitOf(token: string): Promise<Unit> {
  const [[symbol = '', decimals] = []] = await rowsOf(
    `SELECT symbol, decimals FROM tokens WHERE address = '${token}'`,
  )
  return { symbol: symbol ?? '', decimals: Number(decimals) }
}

const shownAs = (unit: Unit) => (amount: string | null) => formatAmount(amount ?? '', unit, { locale: 'en' })

it('the market has the sums that DuckDB makes of the vaults, for each token', async () => {
  const tokens = await rowsOf('SELECT address FROM tokens WHERE listed')
  expect(tokens.length).toBeGreaterThan(1)
  for (const [token = ''] of tokens) {
    const [sums = []] = await rowsOf(`
      SELECT sum(capital_fundableLiquidity_decimal), sum(capital_outstandingFace_decimal),
        sum(capital_outstandingAdvance_decimal), sum(capital_discountEarned_decimal)
      FROM vaults WHERE token = '${token}'`)
    await open(`?token=${token}`)
    const names = ['Free to lend', 'Outstanding face', 'Advanced for it', 'Discount earned']
    expect(await figuresOf(names)).toEqual(sums.map(shownAs(await unitOf(token ?? ''))))
  }
})

it('a vault has the sums that DuckDB makes of its slices, and an issuer those of its claims and payments', async () => {
  const [[vault, token, ...faces] = []] = await rowsOf(`
    SELECT vault, any_value(token), sum(faceAmount_decimal - repaidFace_decimal)
    FROM allocations WHERE NOT settled GROUP BY vault ORDER BY 3 DESC, 1 LIMIT 1`)
  await open(`vaults/${vault}`)
  expect(await figuresOf(['Outstanding face'])).toEqual(faces.map(shownAs(await unitOf(token ?? ''))))

  const [[issuer, of] = []] = await rowsOf(
    'SELECT c.issuer, c.token FROM claims c JOIN settlements s USING (claimId) ORDER BY 1, 2 LIMIT 1',
  )
  const own = `issuer = '${issuer}' AND token = '${of}'`
  const [sums = []] = await rowsOf(`SELECT
    (SELECT sum(s.faceAmount_decimal) FROM settlements s JOIN claims c USING (claimId) WHERE c.${own.replace('AND token', 'AND c.token')}),
    (SELECT sum(faceValue_decimal - paidFaceValue_decimal) FROM claims WHERE ${own} AND state <> 'REVOKED')`)
  await open(`issuers/${issuer}`)
  const unit = await unitOf(of ?? '')
  const section = desk.page.locator('section', { has: desk.page.getByText(`Record in ${unit.symbol}`) })
  const titles = [/^Paid$/, /^Unpaid face/].map((name) =>
    section
      .locator('.figures > div')
      .filter({ has: desk.page.locator('dt').filter({ hasText: name }) })
      .locator('[title]')
      .getAttribute('title'),
  )
  expect(await Promise.all(titles)).toEqual(sums.map(shownAs(unit)))
})

it('keeps all digits of an amount', async () => {
  const sql =
    'SELECT claimId, faceValue, faceValue_decimal FROM claims ORDER BY faceValue_decimal DESC, claimId'
  await run(sql)
  await answered()
  const rows = await shownRows()
  expect(rows).toEqual(await rowsOf(sql))
  for (const [, text, number] of rows) expect(number).toBe(text)
})

it('states the error of a query in the words of DuckDB, and refuses files and hosts', async () => {
  await run('SELECT nothing FROM claims')
  await desk.page.getByText(/Referenced column "nothing" not found/).waitFor()
  for (const source of ["'https://example.com/x.csv'", "read_csv('/etc/passwd')", "'x.parquet'"]) {
    await run(`SELECT * FROM ${source}`)
    await desk.page.getByRole('alert').waitFor()
  }
  expect(desk.elsewhere).toEqual([])
})

it('stops a query that runs without end, and answers the next one', async () => {
  await run('SELECT count(*) FROM range(100000000000) a, range(100000000000) b')
  await desk.page.getByText('Running …').waitFor()
  await desk.page.getByRole('button', { name: 'Stop' }).click()
  await run('SELECT 1 + 1 AS two')
  await answered()
  expect(await shownRows()).toEqual([['2']])
})

it('is usable by keys and screen readers, at 375 px too, and complains of nothing', async () => {
  await open(`desk?query=${saved[0]?.name}`)
  await answered()
  for (const width of [1440, 375]) {
    await desk.page.setViewportSize({ width, height: 900 })
    expect([width, await excessOf(desk.page)]).toEqual([width, 0])
    expect(await violationsOf(desk.page)).toEqual([])
  }
  expect(desk.complaints).toEqual([])
})
