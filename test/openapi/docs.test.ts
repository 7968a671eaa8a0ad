/** The API reference, looked at in a real browser that has no way out. */
import { serve } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, problemType } from '../../api/errors.ts'
import { freePort } from '../support/anvil.ts'
import { launchBrowser } from '../support/browser.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
let server: ReturnType<typeof serve>
let browser: Browser
let origin: string

beforeAll(async () => {
  store = await createTestStore()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  server = serve({ fetch: createGateway(store).fetch, port, hostname: '127.0.0.1' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
  await store?.stop()
})

type Opened = { page: Page; requests: string[]; complaints: string[] }

/** A page, everything it asked for, and every complaint of the browser. It stays open until the browser is closed. */
async function openReference(hash = ''): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${origin}/docs${hash}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return { page, requests, complaints }
}

describe('the API reference', () => {
  // Rendering it takes seconds.
  let reference: Opened
  beforeAll(async () => {
    reference = await openReference()
  })

  it('renders, asks nobody but the gateway, and breaks no policy', async () => {
    const { page, requests, complaints } = reference
    expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toBe(
      'Claim financing gateway',
    )
    await page.getByRole('link', { name: 'Sign-in' }).first().click()
    await page.getByText('Create a nonce for a sign-in message').first().waitFor()
    const outside = requests.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url))
    expect(outside).toEqual([])
    expect(complaints).toEqual([])
  })

  it('is stopped by its policy from asking anybody else', async () => {
    const asked: string[] = []
    const port = await freePort()
    const outsider = serve({ fetch: fetchOf(asked), port, hostname: '127.0.0.1' })
    const { page } = reference
    const ask = (url: string) =>
      page.evaluate((outside) => fetch(outside).then(String, (error: Error) => error.message), url)
    expect(await ask(`http://127.0.0.1:${port}/telemetry`)).toContain('Failed to fetch')
    expect(await ask(`${origin}/api/v1/openapi.json`)).toContain('Response')
    expect(asked).toEqual([])
    outsider.close()
    const policy = (await fetch(`${origin}/docs`)).headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
  })

  it('tries a request out, and it reaches the API', async () => {
    const { page, complaints } = await openReference('#tag/sign-in/GET/api/v1/auth/nonce')
    await page.getByRole('button', { name: 'Test Request' }).first().click()
    const answered = page.waitForResponse(`${origin}/api/v1/auth/nonce`)
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const { nonce } = await (await answered).json()
    expect(nonce).toMatch(/^[0-9a-f]{74}$/)
    await page.getByText(nonce).first().waitFor()
    expect(complaints).toEqual([])
  })

  it('lists the errors, each with a link to its page', async () => {
    const { page } = reference
    const link = page.locator(`a[href$="${problemType('SIWE_MESSAGE_NOT_YET_VALID')}"]`).first()
    await link.waitFor()
    const linked = await page
      .locator('a[href*="/docs/errors/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const missing = errorCodes.filter((code) => !linked.some((path) => path.endsWith(problemType(code))))
    expect(missing).toEqual([])
  })

  it('is not served in production', async () => {
    const production = createGateway(store, { env: { NODE_ENV: 'production' } })
    const html = await (await fetch(`${origin}/docs`)).text()
    const scripts = [...html.matchAll(/src="([^"]+)"/g)].map(([, path = '']) => path)
    expect(scripts).toHaveLength(2)
    for (const path of ['/docs', '/docs/', ...scripts]) {
      expect((await production.request(path)).status).toBe(404)
    }
    expect((await production.request('/api/v1/openapi.json')).status).toBe(200)
  })
})

/** A server of somebody else's that would gladly answer any page. */
function fetchOf(asked: string[]): (request: Request) => Response {
  return ({ url }) => {
    asked.push(url)
    return new Response('hello', { headers: { 'Access-Control-Allow-Origin': '*' } })
  }
}
