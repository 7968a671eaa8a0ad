/**
 * The explorer as static files of another host: a wallet that announces itself (EIP-6963) registers, finances and pays
 * a claim, lends, and changes terms; names are hostile, connections break, and a session ends.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountWallet } from '../../demo/wallet.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { buildExplorerInto } from '../../devnet/explorer.ts'
import { injectProvider } from '../client/browser.ts'
import { freePort } from '../support/anvil.ts'
import { registrationBody } from '../support/attestations.ts'
import { launchBrowser } from '../support/browser.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import { startProxy } from '../support/proxy.ts'
import * as act from '../support/scenario.ts'
import { excessOf, type Visit, violationsOf, visit } from './visit.ts'

const USD = 1_000_000n
const FACE = 1_000n * USD

/** A script, a change of the direction of writing, and a text without a place to break. */
const HOSTILE = `<img src=x onerror="globalThis.harmed=1">\u202eevil ${'W'.repeat(400)}`

let the: LiveWorld
let line: Awaited<ReturnType<typeof startProxy>>
let browser: Browser
let site: ReturnType<typeof serve>
let origin: string
let folder: string
let shown: Visit
let page: Page
let vault: Address
let open: Hex
let due: Hex

beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  the = await startLiveWorld({ SITE_ORIGINS: origin, CORS_ORIGINS: origin, HEAD_POLL_MS: '20' })
  await prepareMarket()
  line = await startProxy(new URL(the.url('/')))
  folder = mkdtempSync(join(tmpdir(), 'explorer-'))
  const manifest = { ...loadManifest(the.world.chainId), tokens: [] }
  writeFileSync(join(folder, `${the.world.chainId}.json`), JSON.stringify(manifest))
  await buildExplorerInto(join(folder, 'site'), { GATEWAY_URL: line.url, DEPLOYMENTS_DIR: folder })
  const files = new Hono().use(serveStatic({ root: join(folder, 'site') }))
  site = serve({ fetch: files.fetch, port, hostname: '127.0.0.1' })
  browser = await launchBrowser()
  shown = await visit(browser, 'about:blank')
  page = shown.page
  await installWallet(shown.context)
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  line?.stop()
  await the?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A vault with money and a hostile name, whose curator is the user, and two claims of the user. */
async function prepareMarket(): Promise<void> {
  const { world } = the
  const { issuer: user } = world.parties
  const token = world.usd
  vault = await act.createFundedVault(world, { token, capital: 5_000n * USD, name: HOSTILE, curator: user })
  await act.createFundedVault(world, {
    token,
    capital: 500n * USD,
    name: 'Expensive',
    pricing: { baseDiscountBps: 900 },
  })
  await act.mint(world, { token, to: user.address, amount: 2_000n * USD })
  const terms = { issuer: user, beneficiary: user.address, token, faceValue: FACE }
  due = (await act.registerClaim(world, { ...terms, dueDate: (await act.chainTime(world)) + 100n })).claimId
  open = (await act.registerClaim(world, terms)).claimId
  await act.travelTo(world, (await act.chainTime(world)) + 100n)
  await the.project()
}

async function installWallet(context: BrowserContext): Promise<void> {
  const wallet = createAccountWallet(the.world.parties.issuer.key, the.world.rpcUrl)
  await injectProvider(context, (method, params) => wallet.request({ method, params: [...params] }))
  await context.addInitScript(`
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({
      info: { uuid: '1', name: '<b>Test wallet</b>', icon: 'data:,', rdns: 'example.test' }, provider: globalThis.ethereum }) }))
    addEventListener('eip6963:requestProvider', () => { announce(); announce() })`)
}

const go = (place: string) => page.goto(`${origin}/#/${place}`)
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor()
const figure = (name: string) => page.locator('.figures > div', { hasText: name }).locator('dd').textContent()

/** Blocks go on from the time at which the action is sent, until it is final. */
async function isDone(count = 1): Promise<void> {
  await sees(/^Sent in/)
  const done = page.getByText('Done: finalized').nth(count - 1)
  await expect
    .poll(async () => {
      await the.project()
      return done.isVisible()
    })
    .toBe(true)
}

it('a wallet finances, lends, sets terms, pays and registers, over pages that hostile names do not harm', async () => {
  await go('finance')
  await page.getByText('Connect a wallet', { exact: true }).click()
  await press('<b>Test wallet</b>')
  await press(/^Sign in with/)

  await sees('1. Choose claims')
  await page.getByRole('checkbox', { name: open }).check()
  await page.getByLabel('Advance').fill('700')
  await press('Find the cheapest route')
  await sees('It is proven that no other route costs less.')
  await page.getByText('Compare with single vaults').click()
  await sees('Less than the route')
  await press('Sign and execute')
  await isDone()
  await page.getByLabel('Advance').fill('7000')
  await press('Find the cheapest route')
  await sees('There is no route: target unsatisfiable.')

  await go(`vaults/${vault}`)
  await sees('All figures are of finalized block')
  expect(await figure('Outstanding face')).toBe('707.07 dUSD')
  await page.getByLabel('Deposit', { exact: true }).fill('100')
  await press('Deposit')
  await isDone()
  await page.getByLabel('Withdraw', { exact: true }).fill('40')
  await press('Withdraw')
  await isDone(2)
  await page.getByLabel('Base discount, basis points').fill('120')
  await page.getByLabel('Most face of one issuer (empty: no limit)').fill('2,000')
  await sees('An amount is digits, with at most 6 after a point.')
  await page.getByLabel('Most face of one issuer (empty: no limit)').fill('2000')
  await page.getByLabel('Most face of one slice (empty: no limit)').fill('')
  await page.getByLabel('Premium of').first().fill('30')
  await press('Submit new terms')
  await sees('Open claims that the terms accept: 1 of 1')
  await press('Do not sign')
  await sees('The prepared transaction was declined.')
  await press('Submit new terms')
  await press('Sign')
  await isDone(3)
  await expect.poll(() => figure('Base discount')).toBe('1.2 %')
  expect(await figure('Most face of one issuer')).toBe('2K dUSD')
  expect(await figure('Face of one slice')).toMatch(/^at least [\d.]+K? dUSD$/)

  for (const place of ['', 'vaults', `vaults/${vault}`, `claims/${open}`]) {
    await go(place)
    await page.locator('bdi', { hasText: '<img src=x' }).first().waitFor()
    expect([place, await excessOf(page)]).toEqual([place, 0])
    expect(await violationsOf(page)).toEqual([])
  }

  await go(`claims/${due}`)
  await press(/^Pay 1,000.00 dUSD/)
  await isDone()
  await page.locator('.state', { hasText: 'settled' }).waitFor()

  const attestation = await act.attestationOf(the.world, {
    issuer: the.world.parties.otherIssuer,
    beneficiary: the.world.parties.issuer.address,
    token: the.world.usd,
    faceValue: FACE,
  })
  const signature = await act.signAttestation(the.world, the.world.parties.otherIssuer, attestation)
  await go('register')
  await page.getByLabel('Attestation and signature').fill('no JSON')
  await sees('This is not a JSON object')
  await page
    .getByLabel('Attestation and signature')
    .fill(JSON.stringify(registrationBody({ attestation, signature })))
  await press('Register')
  await isDone()
  await go('finance')
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(2)

  expect(await page.evaluate('globalThis.harmed')).toBeUndefined()
  expect(shown.elsewhere.filter((url) => !url.startsWith(line.url) && !url.startsWith(origin))).toEqual([])
  expect(shown.complaints).toEqual([])
})

it('a lost connection and an ended session recover without a reload', async () => {
  await go(`vaults/${vault}`)
  await sees('Live')
  await page.evaluate('globalThis.loadedOnce = true')
  line.cut()
  await sees('Connecting')
  await act.deposit(the.world, { provider: the.world.parties.provider, vault, assets: 1_000n * USD })
  await the.project()
  line.mend()
  await sees('Live')
  await expect.poll(() => figure('Free to lend')).toBe('5,360.00 dUSD')

  const token = await page.evaluate(
    'JSON.parse(Object.entries(sessionStorage).find(([key]) => key.startsWith("claim-financing-session"))[1]).token',
  )
  const headers = { Authorization: `Bearer ${token}` }
  expect((await fetch(the.url('/auth/logout'), { method: 'POST', headers })).status).toBe(200)
  await page.getByLabel('Deposit', { exact: true }).fill('1')
  await press('Deposit')
  await press(/^Sign in with/)
  await page.getByLabel('Deposit', { exact: true }).fill('1')
  await press('Deposit')
  await isDone()
  expect(await page.evaluate('globalThis.loadedOnce')).toBe(true)
})

it('a link to a claim beyond the first page of claims has it chosen, and the others follow on request', async () => {
  const { world } = the
  const { issuer: user } = world.parties
  const terms = { issuer: user, beneficiary: user.address, token: world.usd, faceValue: FACE }
  const dueDate = (await act.chainTime(world)) + 400n * 86_400n
  for (let i = 0n; i < 50n; i++) await act.registerClaim(world, { ...terms, dueDate: dueDate + i })
  const { claimId: last } = await act.registerClaim(world, { ...terms, dueDate: dueDate + 1_000n })
  await the.project()
  await go(`finance?claims=${last}`)
  await page.getByRole('checkbox', { name: last, checked: true }).waitFor()
  await sees('Claims chosen: 1, with 1,000.00 dUSD of face.')
  const shownBefore = await page.getByRole('checkbox').count()
  await press('Show more claims')
  await expect.poll(() => page.getByRole('checkbox').count()).toBeGreaterThan(shownBefore)
  await page.getByRole('checkbox', { name: last, checked: true }).waitFor()
})
