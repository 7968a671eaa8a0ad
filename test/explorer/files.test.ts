/** The explorer as files of a folder, over HTTP: headers and paths. The folder is not built. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { serveHttp } from '../support/serve.ts'
import { createTestStore } from '../support/store.ts'

const SIGNER = 'http://127.0.0.1:8545'
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let store: TestStore
let folder: string
let server: Awaited<ReturnType<typeof serveHttp>>
beforeAll(async () => {
  store = await createTestStore()
  folder = mkdtempSync(join(tmpdir(), 'explorer-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/main-1.js'), 'main()')
  writeFileSync(join(folder, 'index.html'), '<body class="first">')
  server = await serveHttp(createGateway(store, { env: { EXPLORER_FOLDER: folder } }).fetch)
})
afterAll(async () => {
  await server.close()
  await store.stop()
  rmSync(folder, { recursive: true })
})

const get = (path: string) => fetch(server.url + path, { redirect: 'manual' })

it('the path without a slash is left for good', async () => {
  const { status, headers } = await get('/explore')
  expect([status, headers.get('Location')]).toEqual([308, '/explore/'])
})

it('the page calls its own host alone, and is that of the last build', async () => {
  const page = await get('/explore/')
  expect(page.headers.get('Cache-Control')).toBe('no-cache')
  expect(page.headers.get('Content-Security-Policy')).toMatch(/; connect-src 'self'(;|$)/)
  expect(await page.text()).toBe('<body class="first">')
  writeFileSync(join(folder, 'index.html'), '<body class="next">')
  expect(await (await get('/explore/')).text()).toBe('<body class="next">')
})

it('a file is kept for good, under the policy of the page', async () => {
  const file = await get('/explore/assets/main-1.js')
  expect([file.status, await file.text()]).toEqual([200, 'main()'])
  expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  const policy = (await get('/explore/')).headers.get('Content-Security-Policy')
  expect(file.headers.get('Content-Security-Policy')).toBe(policy)
})

it('a file that does not exist is a problem as any path that does not exist, and is kept nowhere', async () => {
  const missing = await get('/explore/assets/main-0.js')
  expect(missing.headers.get('Content-Type')).toContain('application/problem+json')
  expect(missing.headers.get('Cache-Control')).not.toContain('immutable')
  expect(await missing.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

it('the page of a development system names its wallets, and calls the chain that signs for them', async () => {
  const env = { EXPLORER_FOLDER: folder, NODE_ENV: 'development' }
  const demo = createGateway(store, {
    env: { ...env, PLAYGROUND_WALLETS: WALLET, PLAYGROUND_SIGNER: SIGNER },
  })
  const page = await demo.request('/explore/')
  expect(await page.text()).toContain(`<body data-signer="${SIGNER}" data-wallets="${WALLET}"`)
  expect(page.headers.get('Content-Security-Policy')).toMatch(
    new RegExp(`; connect-src 'self' ${SIGNER}(;|$)`),
  )
})
