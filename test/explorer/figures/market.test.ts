/** The sums on the pages of the explorer equal those that DuckDB makes of the lists behind them. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildExplorer, EXPLORER_FOLDER } from '../../devnet/explorer.ts'
import { formatAmount } from '../../packages/client/src/index.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { launchBrowser } from '../support/browser.ts'
import { serveHttp } from '../support/serve.ts'
import { type Lists, loadLists } from './lists.ts'
import { visit } from './visit.ts'

let gateway: ReadGateway
let server: Awaited<ReturnType<typeof serveHttp>>
let browser: Browser
let lists: Lists
let page: Page

beforeAll(async () => {
  await buildExplorer()
  gateway = await startReadGateway({ EXPLORER_FOLDER, RATE_LIMIT_COST: '1000000000' })
  server = await serveHttp(gateway.app.fetch)
  lists = await loadLists(gateway)
  browser = await launchBrowser()
  page = (await visit(browser, `${server.url}/explore/`)).page
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await gateway?.stop()
  lists?.stop()
})

/** When the value of a claim has been written down to 0: 90 days after the end of the due day. */
const WRITTEN_DOWN_AT = `date_trunc('day', dueDate) + INTERVAL '91 days'`

/** Seconds of the block that all answers show. */
async function blockTime(): Promise<number> {
  const body = JSON.stringify({ query: '{ _meta { finalizedThrough { timestamp } } }' })
  const headers = { 'content-type': 'application/json' }
  const answer = await gateway.app.request('/api/v1/graphql', { method: 'POST', headers, body })
  return Date.parse((await answer.json()).data._meta.finalizedThrough.timestamp) / 1000
}

const rowsOf = (sql: string) => lists.rowsOf(sql)
const go = (place: string) => page.goto(`${server.url}/explore/#/${place}`)

/** The section of that title, or the page. */
const placeOf = (section?: string) =>
  section ? page.locator('section', { has: page.getByText(section, { exact: true }) }) : page

/** Figures of these names, in the section of that title if there is one: all digits of amounts, the texts of others. */
async function figuresOf(names: readonly string[], section?: string): Promise<(string | null)[]> {
  const place = placeOf(section)
  const figure = async (name: string) => {
    const value = place
      .locator('.figures > div')
      .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
      .locator('dd')
    const text = await value.textContent()
    const amount = value.locator('[title]')
    return (await amount.count()) > 0 ? amount.getAttribute('title') : text
  }
  return Promise.all(names.map(figure))
}

/** Writes a ratio in percent as the pages do: two decimals at most, rounded down from basis points. */
function percent(part: bigint, whole: bigint, round: 'down' | 'up' = 'down'): string {
  const bps = (part * 10_000n + (round === 'up' ? whole - 1n : 0n)) / whole
  return `${(Number(bps) / 100).toLocaleString('en')} %`
}
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

/** The cells of a table, in the section of that title if there is one: all digits of amounts, the texts of others. */
async function tableOf(
  name: string,
  columns: readonly string[],
  section?: string,
): Promise<(string | undefined)[][]> {
  const table = placeOf(section)
    .getByRole('region', { name, exact: true, includeHidden: true })
    .locator('table')
  await table.waitFor({ state: 'attached' })
  const heads = await table.locator('th').allTextContents()
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        Array.from(
          row.children,
          (cell) => cell.querySelector('.number[title]')?.getAttribute('title') ?? cell.textContent,
        ),
      ),
    )
  return rows.map((row) => columns.map((column) => row[heads.indexOf(column)]))
}

/** Writes amounts in base units of a token as the pages do. */
async function writerOf(token: string | null | undefined) {
  const [[symbol, decimals] = []] = await rowsOf(
    `SELECT symbol, decimals FROM tokens WHERE address = '${token}'`,
  )
  const unit = { symbol: symbol ?? '', decimals: Number(decimals) }
  return {
    symbol: unit.symbol,
    write: (amount: string | null | undefined) => formatAmount(amount ?? '', unit, { locale: 'en' }),
  }
}

it('the market has the sums of vaults, slices by type, and slices by month, for each token', async () => {
  const tokens = await rowsOf('SELECT address FROM tokens WHERE listed')
  expect(tokens.length).toBeGreaterThan(1)
  for (const [token] of tokens) {
    const { write } = await writerOf(token)
    await go(`?token=${token}`)
    const [sums = []] = await rowsOf(`
      SELECT sum(capital_fundableLiquidity_decimal), sum(capital_outstandingFace_decimal),
        sum(capital_outstandingAdvance_decimal), sum(capital_discountEarned_decimal)
      FROM vaults WHERE token = '${token}'`)
    const names = ['Free to lend', 'Outstanding face', 'Advanced for it', 'Discount earned']
    expect(await figuresOf(names)).toEqual(sums.map(write))
    const [[idle = '', advance = ''] = []] = await rowsOf(`
      SELECT sum(capital_fundableLiquidity_decimal), sum(capital_outstandingAdvance_decimal) FROM vaults WHERE token = '${token}'`)
    const cost = BigInt(idle ?? 0) + BigInt(advance ?? 0)
    expect(await figuresOf(['Assets of vaults, at cost', 'Utilization'])).toEqual([
      write(`${cost}`),
      percent(BigInt(advance ?? 0), cost),
    ])

    const types = await rowsOf(`
      SELECT coalesce(claimTypeLabel, 'Type ' || claimType), sum(a.faceAmount_decimal), count(*),
        sum(a.faceAmount_decimal - a.advanceAmount_decimal)
      FROM allocations a JOIN claims USING (claimId) WHERE a.token = '${token}' GROUP BY ALL ORDER BY 1`)
    expect(types.length).toBeGreaterThan(0)
    const shown = await tableOf('Discount by claim type', ['Claim type', 'Face', 'Slices', 'Discount'])
    expect(shown.sort()).toEqual(
      types.map(([type, face, count, discount]) => [
        type,
        write(face),
        count,
        percent(BigInt(discount ?? 0), BigInt(face ?? 0), 'up'),
      ]),
    )

    const days = await rowsOf(`
      SELECT strftime(executedAt, '%Y-%m-%d'), sum(totalAdvance_decimal) FROM executions
      WHERE token = '${token}' GROUP BY 1 ORDER BY 1`)
    const byDay = await tableOf('Advanced to holders by day', ['From', 'Advanced to holders by day'])
    const [[first = ''] = []] = byDay
    expect(byDay.filter(([, advance]) => !/^0\.00 /.test(advance ?? ''))).toEqual(
      days.filter(([day]) => (day ?? '') >= first).map(([day, advance]) => [day, write(advance)]),
    )

    const parts = await rowsOf(`
      SELECT CASE WHEN matured THEN 'overdue' ELSE strftime(a.dueDate, '%Y-%m') END AS due,
        sum(a.faceAmount_decimal - a.repaidFace_decimal), count(*)
      FROM allocations a JOIN claims USING (claimId) WHERE a.token = '${token}' AND NOT settled GROUP BY due
      ORDER BY due <> 'overdue', due`)
    const ladder = await tableOf('Owed to vaults by due date', ['Due', 'Face', 'Slices'])
    expect(parts.length).toBeGreaterThan(1)
    expect(ladder.filter(([, , count]) => count !== '0')).toEqual(
      parts.map(([due, face, count]) => [due, write(face), count]),
    )
  }
})

it('a vault has the sums of its slices, and of them by issuer', async () => {
  const outstanding = 'sum(a.faceAmount_decimal - a.repaidFace_decimal)'
  const [[vault, token, face, overdue] = []] = await rowsOf(`
    SELECT a.vault, any_value(a.token), ${outstanding},
      sum(CASE WHEN matured THEN a.faceAmount_decimal - a.paidFace_decimal ELSE 0 END)
    FROM allocations a JOIN claims USING (claimId) WHERE NOT settled GROUP BY vault ORDER BY 3 DESC, 1 LIMIT 1`)
  const { write } = await writerOf(token)
  await go(`vaults/${vault}`)
  expect(await figuresOf(['Outstanding face', 'Overdue face'])).toEqual([write(face), write(overdue)])
  const issuers = await rowsOf(`
    SELECT ${outstanding} AS face FROM allocations a JOIN claims c USING (claimId)
    WHERE a.vault = '${vault}' AND NOT a.settled GROUP BY c.issuer ORDER BY face DESC LIMIT 10`)
  const faces = issuers.map(([face]) => BigInt(face ?? 0))
  const total = sumOf(faces)
  expect(await tableOf('Issuers by outstanding face', ['Owes', 'Share'])).toEqual(
    faces.map((face) => [write(`${face}`), percent(face, total)]),
  )
  const [[advance, idle, utilized] = []] = await rowsOf(`
    SELECT capital_outstandingAdvance_decimal, capital_fundableLiquidity_decimal,
      sum(a.faceAmount_decimal - a.advanceAmount_decimal) FROM vaults v
    JOIN allocations a ON a.vault = v.address AND NOT settled WHERE v.address = '${vault}' GROUP BY ALL`)
  expect(await figuresOf(['Utilization', 'Herfindahl index', 'Mean discount'])).toEqual([
    percent(BigInt(advance ?? 0), BigInt(advance ?? 0) + BigInt(idle ?? 0)),
    percent(sumOf(faces.map((face) => face * face)), total * total),
    percent(BigInt(utilized ?? 0), total, 'up'),
  ])
})

it('issuers have the sums of their claims and payments, together and on the page of each', async () => {
  const records = await rowsOf(`
    SELECT c.issuer, c.token,
      coalesce(sum(paid.face), 0), sum(CASE WHEN state = 'REVOKED' THEN 0 ELSE faceValue_decimal - paidFaceValue_decimal END),
      sum(CASE WHEN state = 'REVOKED' OR NOT matured THEN 0 ELSE faceValue_decimal - paidFaceValue_decimal END)
    FROM claims c LEFT JOIN (
      SELECT claimId, sum(faceAmount_decimal) AS face FROM settlements GROUP BY claimId
    ) paid USING (claimId) GROUP BY ALL ORDER BY ALL`)
  for (const token of new Set(records.map(([, token]) => token))) {
    const { write } = await writerOf(token)
    await go(`issuers?token=${token}`)
    const own = records.filter(([, of]) => of === token)
    const shown = await tableOf('Payment records', ['Paid', 'Unpaid', 'Overdue'])
    expect(shown.sort()).toEqual(own.map(([, , ...sums]) => sums.map(write)).sort())
  }
  const [issuer, token, ...sums] = records.find(([, , paid]) => paid !== '0') ?? []
  const { symbol, write } = await writerOf(token)
  await go(`issuers/${issuer}`)
  const names = ['Paid', 'Unpaid face of its claims', 'Of this, overdue']
  expect(await figuresOf(names, `Record in ${symbol}`)).toEqual(sums.map(write))
})

it('the page of an issuer has its payments by days late, and the paid shares of its claims by month', async () => {
  const now = `to_timestamp(${await blockTime()})`
  const payments = `
    SELECT issuer, c.token, settledAt, faceAmount_decimal AS face,
      greatest(0, floor((epoch(settledAt) - epoch(dueDate)) / 86400))::BIGINT AS late,
      settledAt >= ${WRITTEN_DOWN_AT} AS isRecovered, date_trunc('month', registeredAt) AS month
    FROM settlements s JOIN claims c USING (claimId)`
  const [[issuer, token] = []] = await rowsOf(`
    SELECT issuer, token FROM (${payments}) GROUP BY ALL
    ORDER BY sum(CASE WHEN isRecovered THEN 1 ELSE 0 END) DESC, count(DISTINCT late) DESC, issuer, token LIMIT 1`)
  const { symbol, write } = await writerOf(token)
  await go(`issuers/${issuer}`)
  const section = `Record in ${symbol}`
  const own = `issuer = '${issuer}' AND token = '${token}'`
  const ofPayments = async (value: string, where = 'true') => {
    const [[sum] = []] = await rowsOf(
      `SELECT coalesce(sum(${value}), 0) FROM (${payments}) WHERE ${own} AND ${where}`,
    )
    return BigInt(sum ?? 0)
  }
  const paid = await ofPayments('face')
  const recovered = await ofPayments('face', 'isRecovered')
  const [[unpaid] = []] = await rowsOf(`
    SELECT coalesce(sum(faceValue_decimal - paidFaceValue_decimal), 0) FROM claims
    WHERE ${own} AND state <> 'REVOKED' AND ${now} >= ${WRITTEN_DOWN_AT}`)
  const onTime = await ofPayments('face', 'late = 0')
  const meanLate = ((await ofPayments('face * late')) * 100n) / paid
  const names = ['Days late, mean', 'Paid on time', 'Written down', 'Recovered']
  expect(await figuresOf(names, section)).toEqual([
    (Number(meanLate) / 100).toLocaleString('en', { maximumFractionDigits: 1 }),
    percent(onTime, paid),
    write(`${recovered + BigInt(unpaid ?? 0)}`),
    write(`${recovered}`),
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
    byDelay.push([name, write(`${face}`), percent(face, paid)])
  }
  expect(byDelay.filter(([, , share]) => share !== '0 %').length).toBeGreaterThan(1)
  expect(await tableOf('Paid face by days late', ['Days late', 'Face', 'Share'], section)).toEqual(byDelay)

  const months = await rowsOf(`
    SELECT strftime(date_trunc('month', registeredAt), '%Y-%m') AS month, sum(faceValue_decimal), sum(paidFaceValue_decimal)
    FROM claims WHERE ${own} AND state <> 'REVOKED'
      AND registeredAt >= date_trunc('month', ${now}) - INTERVAL '11 months' GROUP BY 1 ORDER BY 1`)
  const cohorts = months.map(([month, face, until]) => [
    month,
    write(face),
    percent(BigInt(until ?? 0), BigInt(face ?? 0)),
  ])
  expect(cohorts.length).toBeGreaterThan(1)
  const shown = await tableOf(
    'Paid share by month of registration',
    ['Registered', 'Face', 'Paid by now'],
    section,
  )
  expect(shown).toEqual(cohorts)
})

it('a claim has the sums of its slices and of its payments', async () => {
  const [[claim, token, financed, paid, slices] = []] = await rowsOf(`
    SELECT claimId, any_value(a.token), sum(a.faceAmount_decimal), any_value(paid.face), count(*)
    FROM allocations a JOIN (
      SELECT claimId, sum(faceAmount_decimal) AS face FROM settlements GROUP BY claimId
    ) paid USING (claimId) GROUP BY claimId ORDER BY 5 DESC, 1 LIMIT 1`)
  const { write } = await writerOf(token)
  await go(`claims/${claim}`)
  expect(await figuresOf(['Financed', 'Paid'])).toEqual([write(financed), write(paid)])
  expect((await tableOf('Slices', ['Face'])).length).toBe(Number(slices))
})

it('a wallet has its claims, and the value and cost of its shares after their last change', async () => {
  const [[owner] = []] = await rowsOf(
    'SELECT owner FROM vaultPositions WHERE shares_decimal > 0 GROUP BY owner ORDER BY count(*) DESC, owner LIMIT 1',
  )
  const positions = await rowsOf(`
    SELECT v.token, v.name, p.assets, last.cost, last.gain, p.unrealizedGain
    FROM vaultPositions p JOIN vaults v ON v.address = p.vault JOIN (
      SELECT vault, arg_max(costBasisAfter, blockNumber) AS cost, arg_max(realizedGainAfter, blockNumber) AS gain
      FROM positionChanges WHERE owner = '${owner}' GROUP BY vault
    ) last ON last.vault = p.vault WHERE p.owner = '${owner}'`)
  await go(`wallets/${owner}`)
  const expected = []
  for (const [token, name, assets, cost, realized, unrealized] of positions) {
    const { write } = await writerOf(token)
    const gain = BigInt(realized ?? 0) + BigInt(unrealized ?? 0)
    expected.push([name, write(assets), write(cost), write(`${gain}`)])
  }
  expect(expected.length).toBeGreaterThan(1)
  const shown = await tableOf('Shares of vaults', ['Vault', 'Value', 'Cost', 'Gain'])
  expect(shown.sort()).toEqual(expected.sort())
})

it('amounts of a token do not stay beside the unit of the next one while its own are read', async () => {
  const tokens = await rowsOf('SELECT address, symbol FROM tokens WHERE listed')
  const [[, former] = [], [, next] = []] = tokens
  await go(`?token=${tokens[0]?.[0]}`)
  await page.reload()
  await tableOf('Owed to vaults by due date', ['Face'])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/graphql', (route) => released.then(() => route.continue()))
  await page.getByRole('button', { name: next ?? '', exact: true }).click()
  await page.getByText('Loading').first().waitFor({ state: 'attached' })
  const charts = page.locator('.charts')
  expect(await charts.textContent()).not.toContain(former)
  expect(await charts.textContent()).not.toContain(next)
  release()
  await tableOf('Owed to vaults by due date', ['Face'])
  expect(await charts.textContent()).toContain(next)
})
