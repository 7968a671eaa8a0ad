/** Opened in a browser, the endpoint is a playground that works without the rest of the internet. */
import { mkdirSync } from 'node:fs'
import { serve } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { type Example, examples } from '../../api/graphql/serve/examples.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { freePort } from '../support/anvil.ts'
import { launchBrowser } from '../support/browser.ts'
import { serveHttp } from '../support/serve.ts'
import { signIn } from '../support/sign-in.ts'
import { sum } from '../support/sum.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'

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

/** The answer to an example, as the playground sends it. */
async function answerOf({ query, variables = {}, headers = {} }: Example) {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]),
      ),
    },
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

describe('the examples of the playground', () => {
  // The one subscription is run below, where it belongs.
  for (const [name, example] of Object.entries(examples).filter(([name]) => name !== 'Live')) {
    it(`run within the bounds and find rows: ${name}`, async () => {
      const { data, errors, extensions } = await answerOf(example)
      expect(errors).toBeUndefined()
      expect(extensions.cost.cost).toBeLessThan(extensions.cost.maximum / 4)
      expect(JSON.stringify(data)).toMatch(/"nodes":\[\{/)
    })
  }

  it('FinanceableClaims has the claims that are open, not due, with a slice left and an active issuer, and no other', async () => {
    const { data } = await answerOf(examples.FinanceableClaims)
    const shown = data.claims.nodes.map(({ claimId }: { claimId: string }) => claimId)
    expect(shown).toEqual((await claimsWhere(isFinanceable)).slice(0, 10))
  })

  it('OverdueClaims has the claims that are overdue, and no other', async () => {
    const { data } = await answerOf(examples.OverdueClaims)
    const shown = data.claims.nodes.map(({ claimId }: { claimId: string }) => claimId)
    expect(shown).toEqual((await claimsWhere(({ overdueSince }) => overdueSince !== null)).slice(0, 20))
  })

  it('Maturities add up to the outstanding face of each vault', async () => {
    const { data } = await answerOf(examples.Maturities)
    expect(data.vaults.nodes.length).toBeGreaterThan(0)
    for (const { capital, maturities } of data.vaults.nodes) {
      const faces = maturities.map((row: { outstandingFace: string }) => BigInt(row.outstandingFace))
      expect(String(sum(faces))).toBe(capital.outstandingFace)
    }
  })

  it('Concentration has the whole outstanding face of each vault, by issuer', async () => {
    const { data } = await answerOf(examples.Concentration)
    expect(data.vaults.nodes.length).toBeGreaterThan(0)
    for (const { capital, concentration } of data.vaults.nodes) {
      const { byIssuer, herfindahlBps } = concentration
      const faces = byIssuer.map((share: { outstandingFace: string }) => BigInt(share.outstandingFace))
      expect(byIssuer.length).toBeLessThan(5)
      expect(String(sum(faces))).toBe(capital.outstandingFace)
      expect(herfindahlBps === 10_000).toBe(byIssuer.length === 1)
    }
  })

  it('PaymentRecords has the face of all payments, the longest delay first', async () => {
    const { data } = await answerOf(examples.PaymentRecords)
    const { nodes } = data.paymentRecords
    for (const { settled, onTime, late } of nodes) {
      const parts = [onTime, ...Object.values(late)].map((face) => BigInt(String(face)))
      expect(String(sum(parts))).toBe(settled)
    }
    const delays = nodes.map(
      ({ averageDaysLate }: { averageDaysLate: number | null }) => averageDaysLate ?? 0,
    )
    expect(delays).toEqual(delays.toSorted((a: number, b: number) => b - a))
    expect(delays[0]).toBeGreaterThan(0)
  })

  it('have no line that an editor of half a window of 1280 px would wrap in a comment', () => {
    const comments = Object.values(examples).flatMap(({ query }) => query.match(/^#.*/gm) ?? [])
    expect(comments.filter((line) => line.length > 49)).toEqual([])
  })
})

type ListedClaim = {
  claimId: string
  state: string
  matured: boolean
  slicesRemaining: number
  overdueSince: string | null
  issuer: { active: boolean }
}

const isFinanceable = ({ state, matured, slicesRemaining, issuer }: ListedClaim) =>
  ['ELIGIBLE', 'PARTIALLY_FUNDED'].includes(state) && !matured && slicesRemaining > 0 && issuer.active

/** Ids of the claims that meet a condition, the next due first. */
async function claimsWhere(condition: (claim: ListedClaim) => boolean): Promise<string[]> {
  const query = `{ claims(first: 200, orderBy: dueDate, orderDirection: asc) {
    nodes { claimId state matured slicesRemaining overdueSince issuer { active } } } }`
  const { data } = await answerOf({ query })
  return data.claims.nodes.filter(condition).map(({ claimId }: ListedClaim) => claimId)
}

describe('GraphiQL', () => {
  let browser: Browser
  let origin: string
  let close: () => Promise<void>

  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const server = serve({ fetch: gateway.app.fetch, port, hostname: '127.0.0.1' })
    close = () => new Promise((resolve) => server.close(() => resolve()))
    browser = await launchBrowser()
    if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await close?.()
  })

  /**
   * Opens the page in a new profile, has the work done on it, and returns its requests to other hosts and its errors.
   */
  async function visit(name: string, work: (page: Page) => Promise<void>, width = 1440) {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
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
      await page.close()
    }
    const elsewhere = requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(`${origin}/`))
    return { elsewhere, complaints }
  }

  const tab = (page: Page, name: string) => page.getByRole('tab', { name })
  /**
   * The operation that a run would send and a visit would open again: GraphiQL takes both up some time after the text
   * is shown.
   */
  const operationOf = (page: Page) =>
    page.evaluate(() => {
      const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{"tabs":[]}')
      return tabs[activeTabIndex]?.operationName
    })
  /** One click of a mouse, without a wait for the tab to stand still. */
  const open = async (page: Page, name: string, kind = 'query') => {
    await tab(page, name).hover()
    await page.mouse.down()
    await page.mouse.up()
    await page.getByText(`${kind} ${name}`).first().waitFor()
    await expect.poll(() => operationOf(page)).toBe(name)
  }
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

  it('opens an example at the first click in a new profile, and the same one at the next visit', async () => {
    const { complaints } = await visit('first-click', async (page) => {
      await open(page, 'OverdueClaims')
      await page.reload()
      await page.getByText('query OverdueClaims').first().waitFor()
      expect(await page.getByRole('tab').allInnerTexts()).toEqual(Object.keys(examples))
    })
    expect(complaints).toEqual([])
  })

  it('lists the queries that were run in its history', async () => {
    await visit('history', async (page) => {
      await open(page, 'DailyVolume')
      await run(page)
      await shown(page, 'faceRegistered')
      await page.getByRole('button', { name: /show history/i }).click()
      await page.locator('.graphiql-history').getByText('DailyVolume').waitFor()
    })
  })

  it('fits 800 px: the title on one line, each tab in view, no line of an editor cut off', async () => {
    const fit = async (page: Page) => {
      const title = page.getByText('Claim financing', { exact: true })
      expect((await title.boundingBox())?.height).toBeLessThan(32)
      for (const name of Object.keys(examples)) {
        const { x = 0, width = 0 } = (await tab(page, name).boundingBox()) ?? {}
        expect([name, x + width <= 800]).toEqual([name, true])
      }
      const editor = page.locator('.graphiql-query-editor .CodeMirror-scroll')
      const excess = () => editor.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      await expect.poll(excess).toBe(0)
    }
    await visit('narrow', fit, 800)
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
      await page.getByRole('button', { name: /stop query/i }).click()
      await start.waitFor()
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
      const kept = await page.evaluate(() => Object.entries(localStorage))
      expect(kept.filter(([, text]) => text.includes(token))).toEqual([])
    })
    expect(elsewhere).toEqual([])
  })
})

describe('on a development system', () => {
  it('a button signs in as each demo wallet, by the chain, and SignedIn then shows what the wallet owns', async () => {
    const { rpcUrl } = sharedWorld()
    const addresses = [1, 2, 3].map((number) => sharedAccount(`wallet-${number}`).address)
    const demo = await startReadGateway({
      NODE_ENV: 'development',
      PLAYGROUND_WALLETS: addresses.join(),
      PLAYGROUND_SIGNER: rpcUrl,
    })
    const server = await serveHttp(demo.app.fetch)
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(server.url + GRAPHQL_PATH)
      await page.getByRole('tab', { name: 'SignedIn' }).click()
      await page.getByText('query SignedIn').first().waitFor()
      for (const [i, address] of addresses.entries()) {
        await page.getByRole('button', { name: `Sign in as demo wallet ${i + 1}` }).click()
        await page.getByText(`Signed in as ${getAddress(address)}`).waitFor()
        await page.getByRole('button', { name: /execute query/i }).click()
        await page.locator('.result-window').getByText(address.toLowerCase()).first().waitFor()
      }
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/demo-wallets.png` })
      const bottom = await page
        .getByTestId('graphiql-container')
        .evaluate((box) => box.getBoundingClientRect().bottom)
      expect(bottom, 'the page fits in its window').toBe(900)
      expect(complaints).toEqual([])
      const sentTo = async (url: string, headers: Record<string, string> = {}) => {
        const [request] = await Promise.all([
          page.waitForRequest((one) => one.url() === url && one.method() === 'GET'),
          page.evaluate(
            ([to, own]) =>
              fetch(to, { headers: own }).then(
                () => {},
                () => {},
              ),
            [url, headers] as const,
          ),
        ])
        return (await request.allHeaders()).authorization
      }
      const endpoint = server.url + GRAPHQL_PATH
      expect(await sentTo(`${endpoint}?query={__typename}`)).toMatch(/^Bearer ./)
      expect(await sentTo(`${endpoint}?query={__typename}`, { Authorization: 'Bearer own' })).toBe(
        'Bearer own',
      )
      expect(await sentTo(`${server.url}/api/v1/health`)).toBeUndefined()
      expect(await sentTo(new URL(GRAPHQL_PATH, rpcUrl).href)).toBeUndefined()
    } finally {
      await browser.close()
      await server.close()
      await demo.stop()
    }
  })

  it('the page names no wallet and no other host without these settings', async () => {
    const plain = await startReadGateway({ NODE_ENV: 'development' })
    const page = await plain.get('/graphql', { Accept: 'text/html' })
    expect(await page.text()).not.toMatch(/demo-wallets|data-signer/)
    expect(page.headers.get('Content-Security-Policy')).toMatch(/connect-src 'self'$/)
    await plain.stop()
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
