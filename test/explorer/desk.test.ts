/** The desk of the explorer in Chromium: its answers equal those of DuckDB in this process over the same lists. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildExplorer, EXPLORER_FOLDER } from '../../devnet/explorer.ts'
import { saved } from '../../explorer/src/desk/saved.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { launchBrowser } from '../support/browser.ts'
import { serveHttp } from '../support/serve.ts'
import { type Lists, loadLists } from './lists.ts'
import { excessOf, type Visit, violationsOf, visit } from './visit.ts'

let gateway: ReadGateway
let server: Awaited<ReturnType<typeof serveHttp>>
let browser: Browser
let lists: Lists
let desk: Visit

beforeAll(async () => {
  await buildExplorer()
  // Each visit reads its lists again.
  const env = { RATE_LIMIT_DEFAULT: '10000', RATE_LIMIT_COST: '1000000000' }
  gateway = await startReadGateway({ EXPLORER_FOLDER, ...env })
  server = await serveHttp(gateway.app.fetch)
  lists = await loadLists(gateway)
  browser = await launchBrowser()
  desk = await visit(browser, `${server.url}/explore/#/desk?query=${saved[0]?.name}`)
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await gateway?.stop()
  lists?.stop()
})

const open = (place: string) => desk.page.goto(`${server.url}/explore/#/${place}`)
const answered = () => desk.page.getByRole('button', { name: 'Download as CSV' }).waitFor()

/** The rows of the table that the page shows. */
const shownRows = () =>
  desk.page
    .locator('main > .scroll tbody tr')
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent)))

/** The rows of the table of the chart. */
const chartRows = () =>
  desk.page
    .locator('figure tbody tr')
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent)))

const rowsOf = async (sql: string) => (await lists.rowsOf(sql)).map((row) => row.map((value) => value ?? '–'))

/** Runs a query on the page that is open. */
async function type(sql: string): Promise<void> {
  const field = desk.page.getByLabel('Query')
  await field.fill(sql)
  await field.press('Control+Enter')
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
    if (!chart) return
    await desk.page.locator('.drawing svg').first().waitFor()
    const { x, y, series } = chart
    const columns = [x, ...(series ? [series] : []), y]
    const points = await lists.rowsOf(`SELECT ${columns.map((column) => `"${column}"`).join()} FROM (${sql})`)
    expect(await chartRows()).toEqual(
      points.map((point) => [...point.slice(0, -1), `${Number(point.at(-1))}`]),
    )
  })
})

/** Numbers of a saved query by the text in their row, which DuckDB adds up over the lists of the gateway. */
async function numbersOf(query: string, text: string, number: string): Promise<Map<string | null, number>> {
  const found = saved.find(({ name }) => name === query)
  const rows = await lists.rowsOf(`SELECT "${text}", "${number}" FROM (${found?.sql})`)
  return new Map(rows.map(([key = null, value]) => [key, Number(value)]))
}

async function ask(query: string) {
  const response = await gateway.app.request(`/api/v1/graphql?${new URLSearchParams({ query })}`)
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data
}

it('adds up what is owed by month as GraphQL does', async () => {
  const group = 'dueMonth tokenInfo { symbol decimals } outstandingFace'
  const { allocationAggregates } = await ask(
    `{ allocationAggregates(first: 200, groupBy: [dueMonth]) { nodes { ${group} } } }`,
  )
  const expected = new Map<string, number>()
  for (const { dueMonth, tokenInfo, outstandingFace } of allocationAggregates.nodes) {
    const amount = Math.round(Number(outstandingFace) / 10 ** (tokenInfo.decimals - 2)) / 100
    if (amount > 0) expected.set(`${dueMonth.slice(0, 7)}, ${tokenInfo.symbol}`, amount)
  }
  expect(expected.size).toBeGreaterThan(1)
  expect(await numbersOf('maturities', 'month', 'outstanding')).toEqual(expected)
})

it('states the concentration of vaults as GraphQL does', async () => {
  const { vaults } = await ask('{ vaults(first: 200) { nodes { name concentration { herfindahlBps } } } }')
  const expected = new Map<string | null, number>()
  for (const { name, concentration } of vaults.nodes)
    if (concentration.herfindahlBps !== null) expected.set(name, concentration.herfindahlBps)
  expect(expected.size).toBeGreaterThan(2)
  const shown = await numbersOf('concentration', 'vault', 'herfindahlBps')
  expect([...shown.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
  // GraphQL rounds down.
  for (const [name, bps] of shown) expect([bps, bps - 1]).toContain(expected.get(name))
})

it('adds up what is left of a slice that is repaid in part', async () => {
  const slice = `SELECT DATE '2030-05-01' AS dueDate, 't' AS token, false AS settled`
  const allocations = `${slice}, 1000 AS faceAmount_decimal, 250 AS repaidFace_decimal`
  const tokens = `SELECT 't' AS address, 'T' AS symbol, 2 AS decimals`
  const query = saved.find(({ name }) => name === 'maturities')?.sql
  const rows = await lists.rowsOf(`WITH allocations AS (${allocations}), tokens AS (${tokens}) ${query}`)
  expect(rows).toEqual([['2030-05, T', '7.5']])
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

it.each([
  [50_000, '50000 rows; the first'],
  [50_001, '50000 rows, of more; the first'],
])('of an answer of %i rows states whether it has all', async (count, words) => {
  await run(`SELECT * FROM range(${count})`)
  await desk.page.getByText(words).waitFor()
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

it.each([
  ['stopped while DuckDB is read', /\.wasm$/, () => desk.page.getByRole('button', { name: 'Stop' }).click()],
  ['followed by another while a list is read', /\/claims\.parquet$/, () => type('SELECT 1')],
] as const)('reads no further list for a query that is %s', async (_, file, end) => {
  await open('desk')
  await desk.page.reload()
  const released = Promise.withResolvers<void>()
  await desk.page.route(file, (route) => released.promise.then(() => route.continue()), { times: 1 })
  const asked = desk.page.waitForRequest(file)
  const read = desk.page.waitForEvent('requestfinished', (request) => file.test(request.url()))
  await type('SELECT count(*) FROM claims, vaults')
  await asked
  await end()
  const lists: string[] = []
  desk.page.on('request', (request) => lists.push(...(/\w+\.parquet$/.exec(request.url()) ?? [])))
  released.resolve()
  await read
  await type('SELECT count(*) > 0 AS "any" FROM issuers')
  await expect.poll(shownRows).toEqual([['true']])
  expect(lists).toEqual(['issuers.parquet'])
  expect(await desk.page.getByRole('button', { name: 'Run' }).isEnabled()).toBe(true)
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
