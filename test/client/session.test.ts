/**
 * The session rule in a real browser: the token lives for the browser session, for one wallet, and no longer than it is
 * good.
 */
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createGateway as createClient } from '../../packages/client/src/index.ts'
import { freePort } from '../support/anvil.ts'
import { launchBrowser } from '../support/browser.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'
import { injectWallet, openPage, servePage, type TestWallet } from './browser.ts'

const CHAIN_ID = 31_337

const [alice, bob] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
const lowercase = (address: string) => address.toLowerCase()

describe('a session in a browser', () => {
  let store: TestStore
  let browser: Browser
  let site: { origin: string; server: Server }
  let api: { url: string; close: () => void }
  let wallet: TestWallet
  let context: BrowserContext

  beforeAll(async () => {
    store = await createTestStore()
    site = await servePage()
    const env = { SITE_ORIGINS: site.origin, CORS_ORIGINS: site.origin, SESSION_COOKIES: 'on' }
    const port = await freePort()
    const server = serve({ fetch: createGateway(store, { env }).fetch, port, hostname: '127.0.0.1' })
    api = { url: `http://127.0.0.1:${port}`, close: () => server.close() }
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    site?.server.close()
    api?.close()
    await store.stop()
  })
  beforeEach(async () => {
    wallet = { account: alice, chainId: CHAIN_ID }
    context = await newContext()
  })

  /** As a browser that was just started, with the same wallet. */
  const newContext = async () => {
    const made = await browser.newContext()
    onTestFinished(() => made.close())
    await injectWallet(made, wallet)
    return made
  }
  const open = (at = context) => openPage(at, `${site.origin}/?gateway=${api.url}`)
  const SIGN_IN = 'gateway.signIn({ statement: "Welcome" }).then(({ wallet }) => wallet)'
  const WALLET = 'gateway.session().then((session) => session?.wallet ?? null)'
  /** The gateway's answer about the request's token: the wallet, or the error's code. */
  const WHO =
    'gateway.get("/api/v1/auth/me").then(({ wallet }) => wallet, ({ code, status }) => status + " " + code)'
  const STORED = 'sessionStorage.length + localStorage.length'

  it('begins by signing in, and every request carries the token from then on', async () => {
    const page = await open()
    expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
    expect(await page.evaluate(SIGN_IN)).toBe(lowercase(alice.address))
    expect(await page.evaluate(WHO)).toBe(lowercase(alice.address))
    expect(await page.evaluate('sessions')).toEqual([lowercase(alice.address)])
  })

  it('is kept over a reload', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    await page.reload()
    await page.waitForFunction('globalThis.gateway')
    expect(await page.evaluate(WALLET)).toBe(lowercase(alice.address))
    expect(await page.evaluate(WHO)).toBe(lowercase(alice.address))
  })

  it('is neither that of another tab nor that of a browser started anew', async () => {
    await (await open()).evaluate(SIGN_IN)
    expect(await (await open()).evaluate(WALLET)).toBeNull()
    expect(await (await open(await newContext())).evaluate(WALLET)).toBeNull()
  })

  it('is dropped when the wallet switches to another account', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    wallet.account = bob
    await page.evaluate(`ethereum.emit('accountsChanged', ['${bob.address}'])`)
    expect(await page.evaluate(STORED)).toBe(0)
    expect(await page.evaluate('sessions')).toEqual([lowercase(alice.address), null])
    expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
  })

  it('stays when the wallet announces the same account again', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    await page.evaluate(`ethereum.emit('accountsChanged', ['${alice.address}'])`)
    expect(await page.evaluate(WALLET)).toBe(lowercase(alice.address))
  })

  it('is dropped when the account was switched while the page was closed, or without a word', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    wallet.account = bob
    await page.reload()
    await page.waitForFunction('globalThis.gateway')
    expect(await page.evaluate(WALLET)).toBeNull()
    expect(await page.evaluate(STORED)).toBe(0)
  })

  it('is dropped when the wallet moves to another chain, or disconnects', async () => {
    const page = await open()
    for (const event of [`'chainChanged', '0x1'`, `'disconnect'`]) {
      await page.evaluate(SIGN_IN)
      await page.evaluate(`ethereum.emit(${event})`)
      expect([event, await page.evaluate(STORED)]).toEqual([event, 0])
    }
  })

  it('is dropped the moment its token expires', async () => {
    await context.clock.install()
    const page = await open()
    await page.evaluate(SIGN_IN)
    await page.clock.fastForward('59:00')
    expect(await page.evaluate(WALLET)).toBe(lowercase(alice.address))
    await page.clock.fastForward('01:01')
    expect(await page.evaluate(STORED)).toBe(0)
    expect(await page.evaluate('sessions')).toEqual([lowercase(alice.address), null])
  })

  it('is dropped when the gateway no longer takes its token', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    await page.evaluate(`{
      const [key] = Object.keys(sessionStorage)
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(key)), token: 'a.b.c' }))
    }`)
    expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
    expect(await page.evaluate(STORED)).toBe(0)
  })

  it('ends at the gateway too when the user logs out, and what is not there ends without a word', async () => {
    const page = await open()
    await page.evaluate('gateway.logout()')
    await page.evaluate(SIGN_IN)
    const stored = 'JSON.parse(sessionStorage.getItem(Object.keys(sessionStorage)[0])).token'
    const token = String(await page.evaluate(stored))
    expect(await page.evaluate('gateway.me().then(({ wallet, chainId }) => [wallet, chainId])')).toEqual([
      lowercase(alice.address),
      CHAIN_ID,
    ])
    await page.evaluate('gateway.logout()')
    expect(await page.evaluate(WALLET)).toBeNull()
    expect(await page.evaluate('sessions')).toEqual([lowercase(alice.address), null])
    const used = await fetch(`${api.url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${token}` } })
    expect([used.status, (await used.json()).reason]).toEqual([401, 'TOKEN_REVOKED'])
  })

  it('is forgotten when the gateway already ended it, and when it does not answer, which is an error', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    const LOGOUT = 'gateway.logout().then(() => "ended", ({ code }) => code)'
    await page.evaluate('gateway.post("/api/v1/auth/logout")')
    expect(await page.evaluate(LOGOUT)).toBe('ended')
    expect(await page.evaluate(STORED)).toBe(0)
    await page.evaluate(SIGN_IN)
    await context.route('**/auth/logout', (route) => route.abort())
    expect(await page.evaluate(LOGOUT)).toBe('UNREACHABLE')
    expect(await page.evaluate(STORED)).toBe(0)
  })

  it('ends when the user signs out', async () => {
    const page = await open()
    await page.evaluate(SIGN_IN)
    await page.evaluate('gateway.signOut()')
    expect(await page.evaluate(WALLET)).toBeNull()
    expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
  })

  describe.each(['cookie', 'shared'])('that tabs have in common (%s)', (option) => {
    const openShared = () => openPage(context, `${site.origin}/?${option}&gateway=${api.url}`)
    const sessionsOf = (page: Page) => expect.poll(() => page.evaluate('sessions'))

    it('begins and ends in all tabs of the site', async () => {
      const [page, tab] = [await openShared(), await openShared()]
      const other = await open()
      await page.evaluate(SIGN_IN)
      await sessionsOf(tab).toEqual([lowercase(alice.address)])
      expect(await tab.evaluate(WHO)).toBe(lowercase(alice.address))
      await tab.evaluate('gateway.logout()')
      await sessionsOf(page).toEqual([lowercase(alice.address), null])
      expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
      await page.evaluate(SIGN_IN)
      await sessionsOf(tab).toEqual([lowercase(alice.address), null, lowercase(alice.address)])
      expect(await other.evaluate('sessions')).toEqual([])
    })
  })

  describe('in a cookie', () => {
    const openWithCookie = () => openPage(context, `${site.origin}/?cookie&gateway=${api.url}`)
    const cookies = async () => (await context.cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))

    it('is that of every tab, over reloads, and no script has its token', async () => {
      const page = await openWithCookie()
      expect(await page.evaluate(SIGN_IN)).toBe(lowercase(alice.address))
      expect(await cookies()).toEqual([{ name: '__Host-session', httpOnly: true }])
      expect(await page.evaluate('document.cookie')).toBe('')
      await page.reload()
      await page.waitForFunction('globalThis.gateway')
      for (const tab of [page, await openWithCookie()]) {
        expect(await tab.evaluate(WALLET)).toBe(lowercase(alice.address))
        expect(await tab.evaluate(WHO)).toBe(lowercase(alice.address))
        expect(await tab.evaluate(STORED)).toBe(0)
      }
    })

    it('ends at the gateway when the user logs out', async () => {
      const page = await openWithCookie()
      await page.evaluate(SIGN_IN)
      await page.evaluate('gateway.logout()')
      expect(await cookies()).toEqual([])
      await page.reload()
      await page.waitForFunction('globalThis.gateway')
      expect(await page.evaluate(WALLET)).toBeNull()
    })

    it('ends at the gateway when the wallet switches to another account', async () => {
      const page = await openWithCookie()
      await page.evaluate(SIGN_IN)
      wallet.account = bob
      await page.evaluate(`ethereum.emit('accountsChanged', ['${bob.address}'])`)
      expect(await page.evaluate(WALLET)).toBeNull()
      await expect.poll(cookies).toEqual([])
      expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
    })

    it('begins after the end of the one before, whose answer would delete its cookie', async () => {
      const page = await openWithCookie()
      await page.evaluate(SIGN_IN)
      wallet.account = bob
      const held = Promise.withResolvers<void>()
      await context.route('**/auth/logout', async (route) => {
        await held.promise
        await route.continue()
      })
      await page.evaluate(`ethereum.emit('accountsChanged', ['${bob.address}'])`)
      const signedIn = page.evaluate(SIGN_IN)
      held.resolve()
      expect(await signedIn).toBe(lowercase(bob.address))
      expect(await page.evaluate(WHO)).toBe(lowercase(bob.address))
      expect(await cookies()).toHaveLength(1)
    })

    it('is not used without the wallet that it is of, and a locked wallet does not end it', async () => {
      await (await openWithCookie()).evaluate(SIGN_IN)
      wallet.account = bob
      const other = await openWithCookie()
      // The answer to a read is not that of the former wallet, whether its cookie is gone yet or not.
      expect(await other.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
      expect(await other.evaluate('sessions')).not.toContain(lowercase(alice.address))
      await expect.poll(cookies).toEqual([])

      wallet.account = alice
      const page = await openWithCookie()
      await page.evaluate(SIGN_IN)
      const requests: string[] = []
      page.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await page.evaluate(`ethereum.emit('accountsChanged', [])`)
      expect(await cookies()).toHaveLength(1)
      // A sign-in waits for a logout that is under way.
      await page.evaluate(SIGN_IN)
      expect(requests).toContain('/api/v1/auth/verify')
      expect(requests).not.toContain('/api/v1/auth/logout')
    })

    it('is not used by a page that signed out', async () => {
      const page = await openWithCookie()
      await page.evaluate(SIGN_IN)
      await page.evaluate('gateway.signOut()')
      expect(await page.evaluate(WALLET)).toBeNull()
      expect(await page.evaluate(WHO)).toBe('401 UNAUTHENTICATED')
    })

    it('stays in the other tabs when one signs out alone, which takes the next one that begins', async () => {
      const [page, tab] = [await openWithCookie(), await openWithCookie()]
      const sessions = expect.poll(() => tab.evaluate('sessions'))
      await page.evaluate(SIGN_IN)
      await sessions.toEqual([lowercase(alice.address)])
      await tab.evaluate('gateway.signOut()')
      expect(await page.evaluate(WHO)).toBe(lowercase(alice.address))
      await page.evaluate('gateway.logout()')
      await page.evaluate(SIGN_IN)
      await sessions.toEqual([lowercase(alice.address), null, lowercase(alice.address)])
    })

    it('is the newer one after another tab signed in again without notice, and ends from either tab', async () => {
      await context.addInitScript('delete globalThis.BroadcastChannel')
      const [page, tab] = [await openWithCookie(), await openWithCookie()]
      await page.evaluate(SIGN_IN)
      await tab.evaluate(SIGN_IN)
      const POST = 'gateway.post("/api/v1/auth/logout").then(() => "ended", ({ code }) => code)'
      // The page has the CSRF token of the session before, so its first request is refused, and its second is not.
      expect(await page.evaluate(POST)).toBe('CSRF_TOKEN_INVALID')
      expect(await page.evaluate(POST)).toBe('ended')
      await tab.evaluate(SIGN_IN)
      await page.evaluate('gateway.logout()')
      expect(await cookies()).toEqual([])
    })

    it('lets the server of the site read and write as its visitor', async () => {
      await (await openWithCookie()).evaluate(SIGN_IN)
      const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
      const server = createClient({ url: api.url, site: site.origin, cookie })
      expect((await server.session())?.wallet).toBe(lowercase(alice.address))
      await server.logout()
      expect(await createClient({ url: api.url, site: site.origin, cookie }).session()).toBeUndefined()
      expect(await createClient({ url: api.url, site: site.origin, cookie: '' }).session()).toBeUndefined()
    })
  })
})
