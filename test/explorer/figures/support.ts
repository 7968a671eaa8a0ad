/** The explorer in Chromium, and the lists behind it in DuckDB. */
import { buildExplorer, EXPLORER_FOLDER } from '../../../devnet/explorer.ts'
import { formatAmount } from '../../../packages/client/src/index.ts'
import { startReadGateway } from '../../rest/gateway.ts'
import { launchBrowser } from '../../support/browser.ts'
import { serveHttp } from '../../support/serve.ts'
import { type Lists, loadLists } from '../lists.ts'
import { visit } from '../visit.ts'

type Cells = (string | undefined)[]

export type Figures = Lists & {
  page: Awaited<ReturnType<typeof visit>>['page']
  /** Seconds of the block that all answers show. The clock of the browser stands at it. */
  now: number
  go: (place: string) => Promise<void>
  /** Figures of these names, in the section of that title if there is one. */
  figuresOf: (names: readonly string[], section?: string) => Promise<(string | null)[]>
  /** The cells of a table, in the section of that title if there is one; no row of a chart that is empty. */
  tableOf: (name: string, columns: readonly string[], section?: string) => Promise<Cells[]>
  /** Writes amounts in base units of a token as the pages do. */
  writerOf: (token: string | null | undefined) => Promise<Writer>
}

export type Writer = {
  symbol: string
  decimals: number
  write: (amount: string | bigint | null | undefined) => string
  /** Writes no symbol. */
  writeBare: (amount: string | bigint | null | undefined) => string
}

export async function openFigures(): Promise<Figures> {
  await buildExplorer()
  const gateway = await startReadGateway({ EXPLORER_FOLDER, RATE_LIMIT_COST: '1000000000' })
  const server = await serveHttp(gateway.app.fetch)
  const lists = await loadLists(gateway)
  const browser = await launchBrowser()
  const { page } = await visit(browser, 'about:blank')
  const body = JSON.stringify({ query: '{ _meta { finalizedThrough { timestamp } } }' })
  const headers = { 'content-type': 'application/json' }
  const answer = await gateway.app.request('/api/v1/graphql', { method: 'POST', headers, body })
  const now = Date.parse((await answer.json()).data._meta.finalizedThrough.timestamp) / 1000
  // Pages count days back from their clock.
  await page.clock.setFixedTime(now * 1000)

  /** The section of that title, or the page. */
  const placeOf = (section?: string) =>
    section ? page.locator('section', { has: page.getByText(section, { exact: true }) }) : page

  /** All digits of amounts, the texts of others. */
  async function figuresOf(names: readonly string[], section?: string) {
    const figure = async (name: string) => {
      const value = placeOf(section)
        .locator('.figures > div')
        .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
        .locator('dd')
      const text = await value.textContent()
      const amount = value.locator('[title]')
      return (await amount.count()) > 0 ? amount.getAttribute('title') : text
    }
    return Promise.all(names.map(figure))
  }

  async function tableOf(name: string, columns: readonly string[], section?: string) {
    const place = placeOf(section)
    const table = place.getByRole('region', { name, exact: true, includeHidden: true }).locator('table')
    const empty = place
      .locator('figure', { has: page.locator('figcaption').getByText(name, { exact: true }) })
      .locator('.empty')
    await table.or(empty).waitFor({ state: 'attached' })
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

  async function writerOf(token: string | null | undefined) {
    const [[symbol, places] = []] = await lists.rowsOf(
      `SELECT symbol, decimals FROM tokens WHERE address = '${token}'`,
    )
    const decimals = Number(places)
    const unit = { symbol: symbol ?? '', decimals }
    const locale = 'en'
    return {
      ...unit,
      write: (amount: string | bigint | null | undefined) => formatAmount(amount ?? '', unit, { locale }),
      writeBare: (amount: string | bigint | null | undefined) =>
        formatAmount(amount ?? '', { decimals }, { locale }),
    }
  }

  return {
    page,
    now,
    go: async (place) => {
      // A change of the fragment alone would leave the former page for a moment.
      await page.goto('about:blank')
      await page.goto(`${server.url}/explore/#/${place}`)
    },
    rowsOf: lists.rowsOf,
    figuresOf,
    tableOf,
    writerOf,
    stop: async () => {
      await browser.close()
      await server.close()
      await gateway.stop()
      await lists.stop()
    },
  }
}

/** Writes a ratio in percent as the pages do: two decimals at most, from whole basis points. */
export function percent(part: bigint, whole: bigint, round: 'down' | 'up' = 'down'): string {
  return writeBps(floor(part * 10_000n + (round === 'up' ? whole - 1n : 0n), whole))
}

export function writeBps(bps: bigint | number | string | null | undefined): string {
  return `${(Number(bps) / 100).toLocaleString('en')} %`
}

/** Writes hundredths of a day as the pages do. */
export function writeDays(hundredths: bigint): string {
  return (Number(hundredths) / 100).toLocaleString('en', { maximumFractionDigits: 1 })
}

/** Divides and rounds down, also below zero. @param divisor is positive */
export function floor(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

export const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Reads whole numbers; null is 0. */
export const numbersOf = (row: readonly (string | null)[]) => row.map((value) => BigInt(value ?? 0))
