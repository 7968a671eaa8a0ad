/** Files of the API reference and of GraphiQL that the browser loads, and those that it does not load again. */
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { serveHttp } from '../support/serve.ts'
import { createTestStore } from '../support/store.ts'

const PAGES = ['/docs', '/api/v1/graphql']
const HTML = { Accept: 'text/html' }

let store: TestStore
let app: ReturnType<typeof createGateway>
beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store)
})
afterAll(() => store.stop())

const openPage = (path: string, headers: Record<string, string> = {}) =>
  Promise.resolve(app.request(path, { headers: { ...HTML, ...headers } }))

/** Addresses of the scripts and styles that the page names. */
async function filesOf(page: string): Promise<string[]> {
  const html = await (await openPage(page)).text()
  return [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path)
}

describe.each(PAGES)('the page %s', (page) => {
  it('is small, is revalidated by its tag, and keeps its policy when it is', async () => {
    const first = await openPage(page)
    expect(first.headers.get('Cache-Control')).toBe('no-cache')
    expect((await first.text()).length).toBeLessThan(2000)
    const again = await openPage(page, { 'If-None-Match': first.headers.get('ETag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    for (const name of ['Content-Security-Policy', 'Cache-Control', 'ETag', 'Vary']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
  })

  it('runs no script but files of this server, by a policy that names nobody else', async () => {
    const first = await openPage(page)
    const policy = first.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    expect(await first.text()).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=/)
  })

  it('loads files that are named by their content, compressed, and kept for a year', async () => {
    const files = await filesOf(page)
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const path of files) {
      const plain = Buffer.from(await (await app.request(path)).arrayBuffer())
      const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
      expect(path).toContain(`.${hash}.`)
      const encodings = [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['GZIP;q=0.5', 'gzip', gunzipSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
      ] as const
      for (const [accepted, encoding, decompress] of encodings) {
        const response = await app.request(path, { headers: { 'Accept-Encoding': accepted } })
        expect(response.headers.get('Content-Encoding')).toBe(encoding)
        expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
        expect(response.headers.get('Vary')).toContain('Accept-Encoding')
        const body = Buffer.from(await response.arrayBuffer())
        expect(decompress(body).equals(plain)).toBe(true)
        if (plain.length > 100_000) expect(body.length).toBeLessThan(plain.length * 0.7)
      }
      for (const accepted of ['', 'identity', 'deflate', '*', 'br;q=0,gzip;q=0', 'x'.repeat(5000)]) {
        const { headers } = await app.request(path, { headers: { 'Accept-Encoding': accepted } })
        expect([accepted, headers.get('Content-Encoding')]).toEqual([accepted, null])
      }
    }
  })

  it('weighs less than 1.5 MB compressed', async () => {
    const sizes = (await filesOf(page)).map(async (path) => {
      const response = await app.request(path, { headers: { 'Accept-Encoding': 'gzip' } })
      return (await response.arrayBuffer()).byteLength
    })
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000)
  })

  it('does not serve files of other versions, nor let anybody keep the answer', async () => {
    for (const path of await filesOf(page)) {
      const other = path.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')
      const missing = await app.request(other)
      expect([other, missing.status, missing.headers.get('Cache-Control')]).toEqual([other, 404, 'no-store'])
    }
  })
})

describe('with PLAYGROUND=off', () => {
  it('no file of GraphiQL is served', async () => {
    const off = createGateway(store, { env: { PLAYGROUND: 'off' } })
    for (const path of await filesOf('/api/v1/graphql')) {
      expect([path, (await off.request(path)).status]).toEqual([path, 404])
    }
  })
})

describe('a browser', () => {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serveHttp>>
  const asked: string[] = []

  beforeAll(async () => {
    server = await serveHttp((request, env) => {
      asked.push(new URL(request.url).pathname)
      return app.fetch(request, env)
    })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  // A test of GraphiQL opens that page twice.
  it('loads the files of /docs once, and the page still works at the next visit', async () => {
    const path = '/docs'
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    const files = await filesOf(path)
    const content = page.getByRole('heading', { level: 1 })
    for (const expected of [files.toSorted(), []]) {
      asked.length = 0
      await page.goto(server.url + path)
      await content.first().waitFor()
      expect(asked.filter((one) => files.includes(one)).toSorted()).toEqual(expected)
      expect(asked).toContain(path)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
