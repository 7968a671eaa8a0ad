/** A server renders a page with the packed packages: its answer has the claims, and the browser goes on from there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../devnet/ports.ts'
import { type DevRun, readEndpoints, startDev } from '../devnet/dev-run.ts'
import { launchBrowser } from '../support/browser.ts'
import { createNextProject, npm, packAll } from './project.ts'
import { type Served, serveProject } from './serve.ts'

let folder: string
let dev: DevRun
let site: Served | undefined
let browser: Browser | undefined
let gatewayUrl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-financing-next-'))
  dev = startDev(join(folder, 'dev'))
  const packed = await packAll(folder)
  await dev.ready
  gatewayUrl = readEndpoints(join(folder, 'dev')).gatewayUrl
  const project = await createNextProject(folder, packed, gatewayUrl)
  await npm(project, 'exec', '--', 'next', 'build')
  const port = await freePort()
  site = await serveProject(project, 'next/dist/bin/next', port, 'start', '--port', `${port}`)
})
afterAll(async () => {
  await browser?.close()
  site?.stop()
  dev?.kill('SIGTERM')
  await dev?.exited
  await rm(folder, { recursive: true, force: true })
})

it('a server renders claims, and the browser shows them without reading them again', async () => {
  if (!site) throw new Error('the site does not run')
  const html = await (await fetch(site.url)).text()
  const rendered = [...html.matchAll(/<li>([^<]+)<\/li>/g)].map(([, text]) => text)
  expect(rendered).toHaveLength(3)
  expect(rendered.filter((text) => !/^[\d,]+\.\d+ \w+$/.test(text ?? ''))).toEqual([])

  browser = await launchBrowser()
  const page = await browser.newPage()
  const [requests, errors]: string[][] = [[], []]
  page.on('request', (request) => requests?.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && errors?.push(message.text()))
  page.on('pageerror', (error) => errors?.push(error.message))
  await page.goto(site.url, { waitUntil: 'networkidle' })
  expect(await page.getByRole('listitem').allTextContents()).toEqual(rendered)
  expect(requests?.filter((url) => url.startsWith(gatewayUrl))).toEqual([])
  expect(errors?.filter((text) => !text.includes('favicon'))).toEqual([])
})
