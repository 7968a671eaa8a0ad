/** The pages and texts that the gateway serves beside the API. */
import { existsSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { html } from 'hono/html'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reverts } from '../../api/error-catalogue/reverts.ts'
import { catalogue, errorCodes, problemType } from '../../api/errors.ts'
import { printSdl } from '../../api/graphql/schema.ts'
import { examples } from '../../api/graphql/serve/examples.ts'
import { htmlPage } from '../../api/pages/html-page.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { launchBrowser } from '../support/browser.ts'
import { createEmptyProjection, EMPTY_AT } from '../support/empty-projection.ts'
import { createGateway, TEST_SECRET } from '../support/gateway.ts'
import { serveHttp } from '../support/serve.ts'
import { createTestStore } from '../support/store.ts'

const PRODUCTION = { NODE_ENV: 'production', PLAYGROUND: 'off', AUTH_SECRETS: TEST_SECRET }

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

const open = (path: string, headers: Record<string, string> = {}) =>
  Promise.resolve(gateway.app.request(path, { headers }))

const linksOf = (page: string) => [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)

describe('the page at /', () => {
  it('names the chain and the block that reads have', async () => {
    const response = await open('/')
    const read = await (await gateway.get('/vaults')).json()
    const { blockNumber, timestamp } = read.finalizedThrough
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('X-Finalized-Through')).toBe(String(blockNumber))
    const page = await response.text()
    expect(page).toContain(`${blockNumber}, finalized, of <time datetime="${timestamp}">${timestamp}</time>`)
    expect(page).toContain('<td>31337</td>')
  })

  it('links to pages that exist, in development and in production', async () => {
    const production = await startReadGateway(PRODUCTION)
    for (const { app } of [gateway, production]) {
      const links = linksOf(await (await app.request('/')).text())
      expect(links).toEqual(expect.arrayContaining(['/schema.graphql', '/api/v1/openapi.json', '/llms.txt']))
      for (const path of links) {
        const { status } = await app.request(path, { headers: { Accept: 'text/html, */*' } })
        expect([path, status]).toEqual([path, 200])
      }
    }
    const hidden = linksOf(await (await production.app.request('/')).text())
    expect(hidden).not.toContain('/docs')
    expect(hidden).not.toContain('/api/v1/graphql')
    await production.stop()
  })

  it('links to the documentation where the operator has one', async () => {
    const DOCUMENTATION_URL = 'https://docs.example/gateway?a=1&b="'
    const documented = await startReadGateway({ DOCUMENTATION_URL })
    const page = await (await documented.app.request('/')).text()
    expect(page).toContain('<a href="https://docs.example/gateway?a=1&amp;b=&quot;">Documentation</a>')
    expect(await (await open('/')).text()).not.toContain('>Documentation<')
    await documented.stop()
  })

  it('names the documentation in the folder of the project in development alone', async () => {
    const development = await startReadGateway({ NODE_ENV: 'development' })
    expect(await (await development.app.request('/')).text()).toContain('<code>docs/index.md</code>')
    expect(existsSync(new URL('../../docs/index.md', import.meta.url))).toBe(true)
    await development.stop()
    const DOCUMENTATION_URL = 'https://docs.example/'
    const documented = await startReadGateway({ NODE_ENV: 'development', DOCUMENTATION_URL })
    expect(await (await documented.app.request('/')).text()).not.toContain('docs/index.md')
    await documented.stop()
    const production = await startReadGateway(PRODUCTION)
    expect(await (await production.app.request('/')).text()).not.toContain('docs/index.md')
    await production.stop()
  })

  it('has its links also while no block can be read', async () => {
    const store = await createTestStore()
    const page = await createGateway(store).request('/')
    expect([page.status, page.headers.get('X-Finalized-Through')]).toEqual([200, null])
    const text = await page.text()
    expect(text).toContain('none at present: The first index is not complete yet (<code>NOT_READY</code>)')
    expect(linksOf(text)).toContain('/schema.graphql')
    await store.stop()
  })

  it('does not hide a fault of the gateway: it fails as any read', async () => {
    const broken = await startReadGateway()
    broken.pool.on('acquire', (client) => {
      Object.assign(client, { query: () => Promise.reject(new Error('secret detail')) })
    })
    for (const path of ['/', '/docs/openapi.json']) {
      const response = await broken.app.request(path)
      expect([path, response.status]).toEqual([path, 500])
      expect(await response.text()).not.toContain('secret')
    }
    await broken.stop()
  })

  it('is revalidated by its tag, and keeps its policy when it is', async () => {
    const first = await open('/')
    expect(first.headers.get('Cache-Control')).toBe('no-cache')
    const again = await open('/', { 'If-None-Match': first.headers.get('ETag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    for (const name of ['Content-Security-Policy', 'Cache-Control', 'ETag', 'Vary', 'X-Finalized-Through']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
  })

  it('has another tag at another block, and without one', async () => {
    const [projection, store] = await Promise.all([createEmptyProjection(), createTestStore()])
    const pool = createPool(projection.urls.gateway, 1)
    const app = createGateway(store, { db: createProjectionDb(pool) })
    const tags = new Set([(await createGateway(store).request('/')).headers.get('ETag')])
    const blocks: (string | null)[] = []
    for (const [seconds, number] of [
      [EMPTY_AT, 5] as const,
      [EMPTY_AT, 6] as const,
      [EMPTY_AT + 1n, 6] as const,
    ]) {
      await projection.admin.query(
        `update projection._ponder_checkpoint set latest_checkpoint =
         '${seconds}' || repeat('0', 16) || lpad('${number}', 16, '0') || repeat('9', 33)`,
      )
      const page = await app.request('/', { headers: { 'If-None-Match': [...tags].join(', ') } })
      expect(page.status).toBe(200)
      blocks.push(page.headers.get('X-Finalized-Through'))
      tags.add(page.headers.get('ETag'))
    }
    expect(blocks).toEqual(['5', '6', '6'])
    expect(tags.size).toBe(4)
    await pool.end()
    await Promise.all([projection.drop(), store.stop()])
  })

  it('renders in a browser without a script, a request to another path or a violation of its policy', async () => {
    const server = await serveHttp(gateway.app.fetch)
    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 800, height: 900 } })
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${server.url}/`)
    await page.getByRole('heading', { name: 'Claim financing gateway' }).waitFor()
    // The style applies: its hash in the policy is that of the page.
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('736px')
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([`${server.url}/`])
    expect(complaints).toEqual([])
    await browser.close()
    await server.close()
  })
})

it('a page escapes its title and its values', async () => {
  const page = await htmlPage('</title><script>', html`<p>${'<img src=x onerror="x">'}</p>`)
  expect(page).not.toMatch(/<script>|<img/)
  expect(page).toContain('&lt;/title&gt;&lt;script&gt;')
})

describe.each(['/schema.graphql', '/llms.txt'])('%s', (path) => {
  it('is plain text that is revalidated by its tag and compressed', async () => {
    const response = await open(path)
    const text = await response.text()
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    const again = await open(path, { 'If-None-Match': response.headers.get('ETag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const compressed = await open(path, { 'Accept-Encoding': 'gzip' })
    expect(gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(text)
  })

  it('is served in production', async () => {
    const production = await startReadGateway(PRODUCTION)
    expect((await production.app.request(path)).status).toBe(200)
    await production.stop()
  })
})

it('/schema.graphql is the schema that the endpoint has', async () => {
  expect(await (await open('/schema.graphql')).text()).toBe(printSdl())
})

it('/llms.txt lists every operation of the OpenAPI document, and links to texts that exist', async () => {
  const text = await (await open('/llms.txt')).text()
  const { info, paths } = await (await gateway.get('/openapi.json')).json()
  const operations = Object.entries<Record<string, { summary: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
    ),
  )
  expect(operations.length).toBeGreaterThan(20)
  expect(operations.filter((line) => !text.includes(`${line}\n`))).toEqual([])
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThanOrEqual(2)
  for (const path of links) expect([path, (await open(path)).status]).toEqual([path, 200])
  for (const { query } of Object.values(examples)) expect(text).toContain(`\`\`\`graphql\n${query}\`\`\``)
  for (const line of info.description.split('\n'))
    expect(text).toContain(line.startsWith('#') ? `\n#${line}\n` : line)
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  expect(prose.match(/^# /gm)).toHaveLength(1)
})

/** Markdown as the pages show it: text between backticks is code. */
const asHtml = (text: string) => String(html`${text}`).replaceAll(/`([^`]*)`/g, '<code>$1</code>')

async function openList({ app }: ReadGateway) {
  const response = await app.request('/docs/errors')
  return { headers: response.headers, list: await response.text() }
}

describe('the error playbook', () => {
  it('has a page for every code, in production too, at the address that problems have as their type', async () => {
    const production = await startReadGateway(PRODUCTION)
    const { headers, list } = await openList(production)
    expect(headers.get('Cache-Control')).toBe('no-cache')
    expect(headers.get('Content-Security-Policy')).toBe(
      (await open('/')).headers.get('Content-Security-Policy'),
    )
    for (const code of errorCodes) {
      expect(list).toContain(`href="${problemType(code)}"`)
      // A narrow column breaks the code between its words.
      expect(list).toContain(`<code>${code.replaceAll('_', '_<wbr>')}</code>`)
      const response = await production.app.request(problemType(code))
      expect([code, response.status, response.headers.get('Cache-Control')]).toEqual([code, 200, 'no-cache'])
      const page = await response.text()
      const { title, status, isRetryable, cause, fix } = catalogue[code]
      expect(list).toContain(`</a></td><td>${status}</td>\n        <td>${title}</td></tr>`)
      expect(page).toContain(`<h1>${title}</h1>`)
      expect(page).toContain(`<th scope="row">Cause</th><td>${asHtml(cause)}</td>`)
      expect(page).toContain(`<th scope="row">What to do</th><td>${asHtml(fix)}</td>`)
      expect(page).toContain(`<td>${status}</td>`)
      expect(page).toContain(isRetryable ? '<td>Yes.' : '<td>No.')
      expect([code, page.match(/`/)]).toEqual([code, null])
    }
    const rows = new Map(list.split('<tr id="').map((row) => [row.split('"')[0], row]))
    for (const [name, { code, cause, fix }] of Object.entries(reverts)) {
      expect(rows.get(name)).toContain(`<td>${asHtml(`${cause} ${fix}`)}</td>`)
      expect([name, rows.get(name)?.includes(`href="${problemType(code ?? 'NOT_FOUND')}"`)]).toEqual([
        name,
        code !== null,
      ])
    }
    await production.stop()
  })

  it('is linked by a problem, and a code that does not exist is a 404', async () => {
    const problem = await (await open('/docs/errors/NO_SUCH_CODE')).json()
    expect([problem.status, problem.code]).toEqual([404, 'NOT_FOUND'])
    expect((await open(problem.type)).status).toBe(200)
  })

  it('states a cause and a remedy of its own for every code', () => {
    for (const part of ['cause', 'fix'] as const) {
      const texts = errorCodes.map((code) => catalogue[code][part])
      expect(texts.filter((text) => !/^[A-Z`].*\.$/.test(text))).toEqual([])
    }
    const causes = errorCodes.map((code) => catalogue[code].cause)
    expect(causes).toEqual([...new Set(causes)])
  })

  it('lets a request be repeated whenever an answer has Retry-After, and never while it is invalid', () => {
    for (const code of errorCodes) {
      const { status, isRetryable } = catalogue[code]
      if (status === 429 || status >= 500) expect([code, isRetryable]).toEqual([code, true])
      if (status < 422) expect([code, isRetryable]).toEqual([code, false])
    }
  })
})
