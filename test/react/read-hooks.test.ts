/** The hooks that read, in a page in Chromium: which rows they show, and when they read again. */
import type { Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createAccountWallet } from '../../demo/wallet.ts'
import { injectProvider, servePage } from '../client/browser.ts'
import { launchBrowser } from '../support/browser.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { startProxy } from '../support/proxy.ts'
import * as act from '../support/scenario.ts'

const USD = 1_000_000n

let the: LiveWorld
let site: { origin: string; server: Server }
let browser: Browser
/** Ways to the one gateway, which are two gateways for the page. */
let first: Awaited<ReturnType<typeof startProxy>>
let second: Awaited<ReturnType<typeof startProxy>>
let page: Page
/** The account of the wallet of the page. */
let account: Party
/** Ends when the wallet answers again. */
let silence: Promise<void>
/** Lists of claims that the page has requested so far, and subscriptions. */
let lists: number
let subscriptions: number

beforeAll(async () => {
  site = await servePage('test/react/read-hooks-page.tsx')
  the = await startLiveWorld({ SITE_ORIGINS: site.origin, CORS_ORIGINS: site.origin })
  first = await startProxy(new URL(the.url('/')))
  second = await startProxy(new URL(the.url('/')))
  browser = await launchBrowser()
  await register(1n)
  await the.project()
})
afterAll(async () => {
  await browser?.close()
  site?.server.close()
  first?.stop()
  second?.stop()
  await the?.stop()
})
beforeEach(async () => {
  lists = 0
  subscriptions = 0
  account = the.world.parties.beneficiary
  silence = Promise.resolve()
  page = await open()
  await sees(/^Rows of All$/)
  await sees(/^Block \d+$/)
  await sees('0 under way')
})

async function register(face: bigint): Promise<void> {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: face * USD }
  await act.registerClaim(the.world, terms)
}

async function open(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await injectProvider(context, async (method, params) => {
    await silence
    return createAccountWallet(account.key, the.world.rpcUrl).request({ method, params: [...params] })
  })
  const opened = await context.newPage()
  opened.on('request', (request) => {
    if (request.postData()?.includes('query Claims')) lists += 1
    if (request.postData()?.includes('subscription LiveReads')) subscriptions += 1
  })
  const token = getAddress(the.world.usd).slice(2)
  await opened.goto(`${site.origin}/?${new URLSearchParams({ first: first.url, second: second.url, token })}`)
  return opened
}

const sees = (text: RegExp | string) => page.getByText(text).first().waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const rows = () => page.getByRole('listitem').allTextContents()

/** Makes the page one of a tab that is shown or not, which a headless browser does not have. */
async function setVisibility(state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    dispatchEvent(new Event('visibilitychange'))`)
}

/** Finalizes a block, and waits until the page has it. */
async function showBlock(): Promise<void> {
  await the.world.chain.mine({ blocks: 1 })
  await sees(new RegExp(`^Block ${await the.project()}$`))
}

describe('amounts', () => {
  it('have the unit of their token, however its address is spelled', async () => {
    expect(getAddress(the.world.usd).slice(2)).toMatch(/[A-F]/)
    expect(await rows()).toEqual(['1.00 dUSD'])
  })
})

describe('a list', () => {
  it('shows the rows of the former filter until those of a new one are read', async () => {
    first.hold()
    onTestFinished(first.release)
    await press('Revoked')
    await sees('Rows before Revoked')
    expect(await rows()).toEqual(['1.00 dUSD'])
    first.release()
    await sees('Rows of Revoked')
    expect(await rows()).toEqual([])
  })

  it('shows no rows of another gateway', async () => {
    second.hold()
    onTestFinished(second.release)
    await press('Other gateway')
    await sees(`Gateway ${second.url}`)
    expect(await rows()).toEqual([])
  })
})

describe('the session', () => {
  it('of another gateway is not shown while the wallet does not answer', async () => {
    const isSignedIn = new RegExp(`^Signed in: ${account.address}$`, 'i')
    // Without a session, the other gateway does not ask the wallet.
    for (const { url } of [second, first]) {
      await press('Other gateway')
      await sees(`Gateway ${url}`)
      await press('Sign in')
      await sees(isSignedIn)
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    onTestFinished(() => resolve())
    silence = promise
    await press('Other gateway')
    await sees(`Gateway ${second.url}`)
    await sees('Not signed in')
  })
})

describe('the outcome of a transaction', () => {
  it('stays when its person signs in, and is gone when another wallet does', async () => {
    const alert = page.getByRole('alert')
    await press('Send')
    await sees('not prepared')
    await press('Sign in')
    await sees(new RegExp(`^Signed in: ${account.address}$`, 'i'))
    expect(await alert.count()).toBe(1)
    account = the.world.parties.stranger
    await press('Other gateway')
    await sees('Not signed in')
    expect(await alert.count()).toBe(1)
    await press('Sign in')
    await sees(new RegExp(`^Signed in: ${account.address}$`, 'i'))
    await expect.poll(() => alert.count()).toBe(0)
  })
})

describe('reads', () => {
  it('are repeated when a transaction was not sent', async () => {
    first.hold()
    onTestFinished(first.release)
    await press('Send')
    await sees('not prepared')
    expect(await page.getByText('under way').textContent()).not.toBe('0 under way')
  })

  it('are repeated at a new block, except in the background', async () => {
    await setVisibility('hidden')
    const before = lists
    await register(2n)
    await showBlock()
    await showBlock()
    expect(lists).toBe(before)
    await setVisibility('visible')
    await expect.poll(rows).toContain('2.00 dUSD')
    await register(3n)
    await showBlock()
    // The newest claim stands first.
    await expect.poll(rows).toEqual(['3.00 dUSD', '2.00 dUSD', '1.00 dUSD'])
  })
})

describe('a live read', () => {
  it('begins again with each session, also with a new one of the same wallet', async () => {
    expect(subscriptions).toBe(1)
    for (const times of [2, 3]) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/auth/verify'))
      await press('Sign in')
      await answered
      await expect.poll(() => subscriptions).toBe(times)
    }
    await register(4n)
    await showBlock()
  })
})
