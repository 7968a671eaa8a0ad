/** Opened in a browser, the endpoint is a playground that works without the rest of the internet. */
import { serve } from '@hono/node-server'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, examples } from '../../api/graphql/examples.ts'
import { GRAPHQL_PATH } from '../../api/graphql/yoga.ts'
import { freePort } from '../support/anvil.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

describe('the examples of the playground', () => {
  const { ask, stop } = createClient(sharedWorld().databaseUrl)
  afterAll(stop)
  for (const [name, example] of Object.entries(examples)) {
    it(`run within the bounds and find rows: ${name}`, async () => {
      const { query, variables }: Example = example
      const { data, errors, extensions } = await ask(query, variables)
      expect(errors).toBeUndefined()
      expect(extensions.cost.cost).toBeLessThan(extensions.cost.maximum / 4)
      expect(JSON.stringify(data)).toMatch(/"nodes":\[\{/)
    })
  }
})

describe('GraphiQL', () => {
  const client = createClient(sharedWorld().databaseUrl)
  let browser: Browser
  let origin: string
  let close: () => Promise<void>

  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const server = serve({ fetch: client.app.fetch, port, hostname: '127.0.0.1' })
    close = () => new Promise((resolve) => server.close(() => resolve()))
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [...chromium.args, '--no-sandbox'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await close?.()
    await client.stop()
  })

  it('opens with the examples, runs one at a click, shows rows, and asks nobody but this server', async () => {
    const page = await browser.newPage()
    const requests: string[] = []
    const refused: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text())
    })
    page.on('pageerror', (error) => refused.push(String(error)))
    await page.goto(`${origin}${GRAPHQL_PATH}`)
    await page.getByText('query FinanceableClaims').first().waitFor()
    for (const name of Object.keys(examples)) await page.getByRole('tab', { name }).waitFor()
    await page.getByRole('tab', { name: 'FinanceableClaims' }).click()
    await page.getByRole('button', { name: /execute query/i }).click()
    const result = page.locator('.result-window')
    await result.getByText('remainingFace').first().waitFor()
    expect(await result.textContent()).toContain('0x')
    const elsewhere = requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`))
    expect(elsewhere).toEqual([])
    expect(refused).toEqual([])
    await page.close()
  })
})
