/** The figures and charts of the market equal those that DuckDB makes of the lists behind them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { capitalAt, lastDays } from './capital.ts'
import { LADDER, LADDER_COLUMNS, ladderOf } from './ladder.ts'
import { type Figures, openFigures, percent, sumOf } from './support.ts'

let the: Figures
let tokens: string[]

beforeAll(async () => {
  the = await openFigures()
  tokens = (await the.rowsOf('SELECT address FROM tokens WHERE listed')).map(([token]) => token ?? '')
})
afterAll(() => the?.stop())

const DAYS = 90

const vaultsOf = async (token: string) =>
  new Set((await the.rowsOf(`SELECT address FROM vaults WHERE token = '${token}'`)).map(([vault]) => vault))

it('the market has the sums of vaults, and of slices by type, for each token', async () => {
  expect(tokens.length).toBeGreaterThan(1)
  const capital = await capitalAt(the, `SELECT ${the.now} AS moment`)
  for (const token of tokens) {
    const { write } = await the.writerOf(token)
    await the.go(`?token=${token}`)
    const vaults = await vaultsOf(token)
    const own = capital.filter(({ vault }) => vaults.has(vault))
    const [idle, face, advance] = [
      sumOf(own.map(({ idle }) => idle)),
      sumOf(own.map(({ face }) => face)),
      sumOf(own.map(({ advance }) => advance)),
    ]
    const [[earned] = []] = await the.rowsOf(`
      SELECT sum(discountAmount_decimal) FROM capitalChanges JOIN vaults v ON v.address = vault
      WHERE kind = 'REPAYMENT' AND token = '${token}'`)
    const expected = {
      Vaults: `${vaults.size}`,
      'Assets of vaults, at cost': write(idle + advance),
      'Free to lend': write(idle),
      'Outstanding face': write(face),
      'Advanced for it': write(advance),
      Utilization: percent(advance, idle + advance),
      'Discount earned': write(earned),
    }
    expect(await the.figuresOf(Object.keys(expected))).toEqual(Object.values(expected))

    const types = await the.rowsOf(`
      SELECT coalesce(claimTypeLabel, 'Type ' || claimType), sum(a.faceAmount_decimal), count(*),
        sum(a.faceAmount_decimal - a.advanceAmount_decimal)
      FROM allocations a JOIN claims USING (claimId) WHERE a.token = '${token}' GROUP BY ALL ORDER BY 1`)
    expect(types.length).toBeGreaterThan(0)
    const shown = await the.tableOf('Discount by claim type', ['Claim type', 'Face', 'Slices', 'Discount'])
    expect(shown.sort()).toEqual(
      types.map(([type, face, count, discount]) => [
        type,
        write(face),
        count,
        percent(BigInt(discount ?? 0), BigInt(face ?? 0), 'up'),
      ]),
    )
  }
})

it('the market has what vaults advanced, are owed and are owed too long, by day', async () => {
  const series: Record<string, (token: string) => string> = {
    'Advanced to holders by day': (token) => `(
      SELECT sum(totalAdvance_decimal) FROM executions
      WHERE token = '${token}' AND strftime(executedAt, '%Y-%m-%d') = day)`,
    'Outstanding face': (token) => `(
      SELECT sum(faceAmount_decimal) FROM allocations WHERE token = '${token}' AND epoch(fundedAt) <= moment
    ) - coalesce((
      SELECT sum(amount_decimal) FROM capitalChanges JOIN vaults v ON v.address = vault
      WHERE token = '${token}' AND kind = 'REPAYMENT' AND epoch("at") <= moment), 0)`,
    // Face is overdue after the second in which it is due.
    'Overdue face': (token) => `(
      SELECT sum(faceAmount_decimal) FROM allocations WHERE token = '${token}' AND epoch(dueDate) < until
    ) - coalesce((
      SELECT sum(vaultsAmount_decimal) FROM settlements s JOIN claims c USING (claimId)
      WHERE s.token = '${token}' AND epoch(dueDate) < until AND epoch(settledAt) <= moment), 0)`,
  }
  for (const [title, figure] of Object.entries(series)) {
    let last = 0
    for (const token of tokens) {
      const { write } = await the.writerOf(token)
      const days = await the.rowsOf(`
        SELECT day, coalesce(${figure(token)}, 0)
        FROM (SELECT *, CASE WHEN moment = ${the.now} THEN moment ELSE moment + 1 END AS until FROM (${lastDays(the.now, DAYS)}))
        ORDER BY day`)
      expect(days.length).toBe(DAYS + 1)
      const values = new Set(days.map(([, amount]) => amount))
      last = Math.max(last, values.size)
      await the.go(`?token=${token}`)
      expect(await the.tableOf(title, ['From', title])).toEqual(
        values.size > 1 || !values.has('0') ? days.map(([day, amount]) => [day, write(amount)]) : [],
      )
    }
    expect([title, last > 2]).toEqual([title, true])
  }
})

it('the market has what is owed to vaults, by month', async () => {
  for (const token of tokens) {
    const { write } = await the.writerOf(token)
    const rows = await ladderOf(the, `a.token = '${token}'`)
    expect(rows.length).toBeGreaterThan(1)
    await the.go(`?token=${token}`)
    expect(await the.tableOf(LADDER, LADDER_COLUMNS)).toEqual(
      rows.map(([due, face, advance, count]) => [due, write(face), write(advance), count]),
    )
  }
})

it('amounts of a token do not stay beside the unit of the next one while its own are read', async () => {
  const { page } = the
  const [former, next] = await Promise.all(tokens.map(async (token) => (await the.writerOf(token)).symbol))
  await the.go(`?token=${tokens[0]}`)
  await page.reload()
  await the.tableOf(LADDER, ['Face'])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/graphql', (route) => released.then(() => route.continue()))
  await page.getByRole('button', { name: next ?? '', exact: true }).click()
  await page.getByText('Loading').first().waitFor({ state: 'attached' })
  const charts = page.locator('.charts')
  expect(await charts.textContent()).not.toContain(former)
  expect(await charts.textContent()).not.toContain(next)
  release()
  await the.tableOf(LADDER, ['Face'])
  expect(await charts.textContent()).toContain(next)
})
