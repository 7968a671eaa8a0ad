/** The pages of the explorer in Chromium, over a market that does not change. */
import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildExplorer, EXPLORER_FOLDER } from '../../devnet/explorer.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { launchBrowser } from '../support/browser.ts'
import { serveHttp } from '../support/serve.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { excessOf, shiftsOf, violationsOf, visit } from './visit.ts'

/** Set to a folder, each page is kept there as a picture of each width and scheme. */
const { SCREENSHOTS } = process.env

let gateway: ReadGateway
let server: Awaited<ReturnType<typeof serveHttp>>
let browser: Browser
let places: Record<string, string>

beforeAll(async () => {
  await buildExplorer()
  gateway = await startReadGateway({ EXPLORER_FOLDER })
  server = await serveHttp(gateway.app.fetch)
  browser = await launchBrowser()
  const [vault, claim] = [sharedWorld().vaults[0], sharedWorld().claimIds[0]]
  const [wallet, issuer] = [sharedAccount('wallet-1').address, sharedAccount('issuer-1').address]
  places = {
    Market: '',
    VaultsPage: 'vaults',
    VaultPage: `vaults/${vault}`,
    IssuersPage: 'issuers',
    IssuerPage: `issuers/${issuer}`,
    ClaimsPage: 'claims',
    ClaimPage: `claims/${claim}`,
    WalletPage: `wallets/${wallet}`,
    VaultStatement: `statements/vault/${vault}?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z`,
  }
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await gateway?.stop()
})

const open = (place: string, options = {}) => visit(browser, `${server.url}/explore/#/${place}`, options)
const LOADED = /All figures are of finalized block/

/** Layout shift that browsers count as good. */
const SHIFT_MAX = 0.1

describe.each([
  'Market',
  'VaultsPage',
  'VaultPage',
  'IssuersPage',
  'IssuerPage',
  'ClaimsPage',
  'ClaimPage',
  'WalletPage',
  'VaultStatement',
])('the page that reads %s', (name) => {
  it('has its figures after one query, names their block, and asks no other host', async () => {
    const { page, context, documents, complaints, elsewhere } = await open(places[name] ?? '')
    await page.getByText(LOADED).waitFor()
    expect(documents[0]).toBe(name)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe('')
    expect(await shiftsOf(page)).toBeLessThan(SHIFT_MAX)
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [800, 'light'],
      [375, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const drawings = page.locator('.drawing')
      for (const drawing of await drawings.all()) await drawing.locator('svg').first().waitFor()
      expect([width, await excessOf(page)]).toEqual([width, 0])
      // Both schemes; the width between changes no colour and no name.
      if (width !== 800) expect(await violationsOf(page)).toEqual([])
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

const metricsShape = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

/** Work of the main thread, in numbers that do not depend on the machine. `bench/explorer` measures its time. */
it('the market lays itself out at most 25 times until its charts are drawn', async () => {
  const { page, context } = await open('')
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.reload()
  await page.locator('.drawing svg').nth(4).waitFor()
  const { metrics } = metricsShape.parse(await session.send('Performance.getMetrics'))
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  expect(metric('LayoutCount')).toBeLessThanOrEqual(25)
  expect(metric('Nodes')).toBeLessThanOrEqual(10_000)
  await context.close()
})

it('the market takes at most 300 kB and 10 requests to its figures, and with its charts 400 kB and 12', async () => {
  const { page, context, answers } = await open('')
  await page.locator('.drawing svg').nth(4).waitFor()
  const all = await answers()
  const names = all.map(({ url }) => url).join()
  const paint = all.filter(({ url }) => !/\/plot-/.test(url))
  expect(names).toMatch(/\/plot-/)
  expect(all.length, names).toBeLessThanOrEqual(12)
  expect(paint.length, names).toBeLessThanOrEqual(10)
  const bytesOf = (list: typeof all) => list.reduce((total, { bytes }) => total + bytes, 0)
  expect(bytesOf(paint), names).toBeLessThan(300_000)
  expect(bytesOf(all), names).toBeLessThan(400_000)
  await context.close()
})

it('keys reach the content, the pages, and the table of a chart', async () => {
  const { page, context } = await open('')
  await page.getByText(LOADED).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
  await page.locator('summary', { hasText: 'Show as a table' }).first().focus()
  await page.keyboard.press('Enter')
  await page.locator('figure table').first().waitFor()
  await context.close()
})

it('a place that does not exist, and one of nobody, say so', async () => {
  for (const [place, text] of [
    ['nowhere', 'There is no such page'],
    [`vaults/0x${'9'.repeat(40)}`, 'There is no vault at this address.'],
    [`claims/0x${'9'.repeat(64)}`, 'There is no claim with this id'],
    ['%E0%A4%A', 'There is no such page'],
  ] as const) {
    const { page, context, complaints } = await open(place)
    await page.getByText(text).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  }
})

describe('the files of the explorer', () => {
  const get = (path: string, headers = {}) => gateway.app.request(path, { headers })

  it('are kept by browsers, and compressed as they accept it; the page itself is revalidated', async () => {
    expect((await get('/explore')).headers.get('Location')).toBe('/explore/')
    const page = await get('/explore/')
    expect(page.headers.get('Cache-Control')).toBe('no-cache')
    expect(page.headers.get('Content-Security-Policy')).not.toMatch(/script-src[^;]*(?:unsafe-inline|http)/)
    const [, script = ''] = /src="\.\/(assets\/[^"]+)"/.exec(await page.text()) ?? []
    for (const encoding of ['br', 'gzip']) {
      const { status, headers } = await get(`/explore/${script}`, { 'Accept-Encoding': encoding })
      expect([status, headers.get('Content-Encoding')]).toEqual([200, encoding])
      expect(headers.get('Cache-Control')).toContain('immutable')
    }
  })

  it('end at their folder: other paths are refused as any that does not exist', async () => {
    for (const file of ['none.js', '..%2Findex.html', '..%2F..%2Fpackage.json', '%2E%2E%2Fbuilt-from', '.']) {
      const { status } = await get(`/explore/assets/${file}`)
      expect([file, status]).toEqual([file, 404])
    }
  })
})

it('a gateway without a folder has no explorer, and one with an empty folder does not start', async () => {
  const plain = await startReadGateway()
  expect((await plain.app.request('/explore/')).status).toBe(404)
  expect(await (await plain.app.request('/')).text()).not.toContain('/explore/')
  await plain.stop()
  await expect(startReadGateway({ EXPLORER_FOLDER: '/nowhere' })).rejects.toThrow(/npm run explorer/)
})
