/** Opened in a browser, the endpoint is a playground that works without the rest of the internet. */
import { mkdirSync } from 'node:fs'
import { serve } from '@hono/node-server'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, examples } from '../../api/graphql/examples.ts'
import { GRAPHQL_PATH } from '../../api/graphql/yoga.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { freePort } from '../support/anvil.ts'
import { launchBrowser } from '../support/browser.ts'
import { signIn } from '../support/sign-in.ts'
import { sharedAccount } from '../support/world.ts'

/** Set to a folder, the browser leaves there what it showed. */
const { SCREENSHOTS } = process.env

const wallet = privateKeyToAccount(sharedAccount('wallet-1').privateKey)

let gateway: ReadGateway
let token: string
beforeAll(async () => {
  gateway = await startReadGateway()
  token = await signIn(gateway.app, { address: wallet.address, signMessage: wallet.signMessage })
})
afterAll(() => gateway.stop())

describe('the examples of the playground', () => {
  // The one subscription is run below, where it belongs.
  for (const [name, example] of Object.entries(examples).filter(([name]) => name !== 'Live')) {
    it(`run within the bounds and find rows: ${name}`, async () => {
      const { query, variables, headers = {} }: Example = example
      const given = Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)])
      const response = await gateway.app.request(GRAPHQL_PATH, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...Object.fromEntries(given) },
        body: JSON.stringify({ query, variables }),
      })
      const { data, errors, extensions } = await response.json()
      expect(errors).toBeUndefined()
      expect(extensions.cost.cost).toBeLessThan(extensions.cost.maximum / 4)
      expect(JSON.stringify(data)).toMatch(/"nodes":\[\{/)
    })
  }
})

describe('GraphiQL', () => {
  let origin: string
  let close: () => Promise<void>

  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const server = serve({ fetch: gateway.app.fetch, port, hostname: '127.0.0.1' })
    close = () => new Promise((resolve) => server.close(() => resolve()))
    if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })
  })
  afterAll(async () => {
    await close?.()
  })

  /** Opens the page, has the work done on it, and returns its requests to other hosts and its errors. */
  async function visit(name: string, work: (page: Page) => Promise<void>) {
    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${origin}${GRAPHQL_PATH}`)
    try {
      await page.getByText('query FinanceableClaims').first().waitFor()
      await work(page)
    } finally {
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
      await browser.close()
    }
    const elsewhere = requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`))
    return { elsewhere, complaints }
  }

  const tab = (page: Page, name: string) => page.getByRole('tab', { name })
  /** A click on a tab that is still being drawn goes nowhere. */
  const open = (page: Page, name: string, kind = 'query') =>
    expect
      .poll(
        async () => {
          await tab(page, name).click()
          return page.getByText(`${kind} ${name}`).first().isVisible()
        },
        { interval: 500 },
      )
      .toBe(true)
  const run = (page: Page) => page.getByRole('button', { name: /execute query/i }).click()
  const shown = (page: Page, text: string) => page.locator('.result-window').getByText(text).first().waitFor()

  it('opens with the examples, runs one at a click, shows rows, and asks nobody but this server', async () => {
    const { elsewhere, complaints } = await visit('financeable-claims', async (page) => {
      for (const name of Object.keys(examples)) await tab(page, name).waitFor()
      await open(page, 'FinanceableClaims')
      await run(page)
      await shown(page, 'remainingFace')
      expect(await page.locator('.result-window').textContent()).toContain('0x')
    })
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })

  it('compares vaults for a claim type', async () => {
    const { elsewhere } = await visit('cheapest-vaults', async (page) => {
      await open(page, 'CheapestVaults')
      await run(page)
      await shown(page, 'totalBpsMonth')
    })
    expect(elsewhere).toEqual([])
  })

  it('shows the events of a subscription', async () => {
    const { elsewhere, complaints } = await visit('live', async (page) => {
      await open(page, 'Live', 'subscription')
      const start = page.getByRole('button', { name: /execute query/i })
      const received = async () => {
        // While it runs, the button stops it.
        if (await start.isVisible()) await start.click()
        return page.locator('.result-window').textContent()
      }
      await expect.poll(received, { interval: 1000 }).toContain('blockNumber')
    })
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })

  it('explains how to sign in, and then shows what the wallet owns', async () => {
    const { elsewhere } = await visit('signed-in', async (page) => {
      await open(page, 'SignedIn')
      await page.getByText('POST /api/v1/auth/verify').first().waitFor()
      await run(page)
      await shown(page, 'UNAUTHENTICATED')
      await page.getByRole('button', { name: 'Headers' }).click()
      const placeholder = page.getByText('"Bearer TOKEN"')
      await placeholder.waitFor()
      const { width = 0 } = (await placeholder.boundingBox()) ?? {}
      await placeholder.dblclick({ position: { x: width - 30, y: 8 } })
      await page.keyboard.insertText(token)
      await run(page)
      await shown(page, wallet.address.toLowerCase())
    })
    expect(elsewhere).toEqual([])
  })
})

describe('with PLAYGROUND=off', () => {
  it('a browser gets no page, and queries are answered all the same', async () => {
    const plain = await startReadGateway({ PLAYGROUND: 'off', NODE_ENV: 'production' })
    const opened = await plain.get('/graphql', { Accept: 'text/html' })
    expect(opened.status).toBeGreaterThanOrEqual(400)
    expect(await opened.text()).not.toContain('<html')
    const asked = await plain.get('/graphql?query=%7B__typename%7D', { Accept: 'application/json' })
    expect(await asked.json()).toMatchObject({ data: { __typename: 'Query' } })
    await plain.stop()
  })
})
