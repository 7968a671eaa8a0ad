/** The hooks that read what changes, in a page in Chromium: what they show, and what they are connected to. */
import type { Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { servePage } from '../client/browser.ts'
import { launchBrowser } from '../support/browser.ts'

const WALLET = `0x${'1'.repeat(40)}`
const OTHER = `0x${'2'.repeat(40)}`
const [ONE, TWO] = [`0x${'3'.repeat(64)}`, `0x${'4'.repeat(64)}`]

let site: { origin: string; server: Server }
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await servePage('test/react/live-hooks-page.tsx')
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.server.close()
})
beforeEach(async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.clock.install()
  const session = { token: 'a.b.c', wallet: WALLET, chainId: 31_337, expiresAt: Date.now() + 86_400_000 }
  await context.addInitScript(`
    globalThis.account = '${WALLET}'
    const entries = new Map(
      ['gateway', 'other'].map((name) =>
        ['claim-financing-session http://' + name + '.test', '${JSON.stringify(session)}']))
    globalThis.storage = {
      getItem: (key) => entries.get(key) ?? null,
      setItem: (key, value) => entries.set(key, value),
      removeItem: (key) => entries.delete(key),
    }`)
  page = await context.newPage()
  await page.goto(site.origin)
  await sees(`session: ${WALLET}`)
})

const sees = (text: string) => page.getByText(text, { exact: true }).waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const send = (name: string, data: unknown) => page.evaluate(`send('${name}', ${JSON.stringify(data)})`)
const opened = (name: string) => expect.poll(() => page.evaluate(`opened('${name}')`))
const asked = (name: string) => expect.poll(() => page.evaluate(`asked('${name}')`))
/** The connection of the session, after the one before the session was known. */
const isOpen = (variables: object) => expect.arrayContaining([{ variables, isOver: false }])

describe('a live read', () => {
  it('shows each answer, including null', async () => {
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await sees('claim One: unread, old, no error')
    await send('LiveClaim', { claim: { state: 'OPEN' } })
    await sees('claim One: {"state":"OPEN"}, live, no error')
    await send('LiveClaim', { claim: null })
    await sees('claim One: null, live, no error')
  })

  it('keeps its last answer while its connection is lost, and is not live', async () => {
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await send('LiveClaim', { claim: { state: 'OPEN' } })
    await sees('claim One: {"state":"OPEN"}, live, no error')
    await page.evaluate('lose("LiveClaim")')
    await sees('claim One: {"state":"OPEN"}, old, no error')
    await page.clock.fastForward(1000)
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await send('LiveClaim', { claim: { state: 'SETTLED' } })
    await sees('claim One: {"state":"SETTLED"}, live, no error')
  })

  it('ends with an error that another try does not remove, beside what was read last', async () => {
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await send('LiveClaim', { claim: { state: 'OPEN' } })
    await sees('claim One: {"state":"OPEN"}, live, no error')
    await page.evaluate('refuse()')
    await page.evaluate('lose("LiveClaim")')
    await sees('claim One: {"state":"OPEN"}, old, no error')
    await page.clock.fastForward(1000)
    await sees('claim One: {"state":"OPEN"}, old, refused')
  })

  it('of another id shows nothing of the former one, whose connection it ends', async () => {
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await send('LiveClaim', { claim: { state: 'OPEN' } })
    await sees('claim One: {"state":"OPEN"}, live, no error')
    await press('Two')
    await sees('claim Two: unread, old, no error')
    await opened('LiveClaim').toEqual(isOpen({ claimId: TWO }))
    await opened('LiveClaim').not.toEqual(isOpen({ claimId: ONE }))
    await press('None')
    await sees('claim None: unread, old, no error')
    await opened('LiveClaim').not.toEqual(isOpen({ claimId: TWO }))
    await opened('LiveClaim').toSatisfy((all: unknown[]) => JSON.stringify(all).includes(TWO ?? ''))
  })

  it.each([
    ['id', 'Two', 'claim Two', TWO],
    // Its session has an equal token.
    ['gateway', 'Other gateway', 'claim One', ONE],
  ])('of another %s shows nothing of the former one when its own connection is lost', async (...change) => {
    const [, button, claim, claimId] = change
    const connections = () =>
      expect.poll(() =>
        page.evaluate(
          `opened('LiveClaim').filter(({ isOver }) => !isOver).map(({ variables }) => variables)`,
        ),
      )
    const shown = () => page.getByText(/^claim /).textContent()
    await opened('LiveClaim').toEqual(isOpen({ claimId: ONE }))
    await send('LiveClaim', { claim: { state: 'OPEN' } })
    await sees('claim One: {"state":"OPEN"}, live, no error')
    await press(button)
    await sees(`session: ${WALLET}`)
    await connections().toEqual([{ claimId }])
    expect(await shown()).toBe(`${claim}: unread, old, no error`)
    await page.evaluate('lose("LiveClaim")')
    await connections().toEqual([])
    await page.clock.fastForward(1000)
    await connections().toEqual([{ claimId }])
    expect(await shown()).toBe(`${claim}: unread, old, no error`)
    await send('LiveClaim', { claim: null })
    await sees(`${claim}: null, live, no error`)
  })

  it('follows its account or its execution', async () => {
    await opened('LiveAccount').toEqual(isOpen({ address: OTHER }))
    await send('LiveAccount', { account: { address: OTHER } })
    await sees(`account: {"address":"${OTHER}"}, live, no error`)
    await opened('LiveExecution').toEqual(isOpen({ executionId: TWO }))
    await send('LiveExecution', { execution: { status: 'EXECUTED' } })
    await sees('execution: {"status":"EXECUTED"}, live, no error')
  })
})

it('reads are repeated at the second block, and then at most once in the time that was asked for', async () => {
  const times = (count: number) => Array.from({ length: count }, () => ({ address: OTHER }))
  const ofOther = () =>
    expect.poll(async () => {
      const all: unknown = await page.evaluate(
        `asked('Account').filter(({ address }) => address === '${OTHER}')`,
      )
      return all
    })
  await opened('LiveReads').toEqual(isOpen({}))
  await ofOther().toEqual(times(1))
  const show = async (blockNumber: number) => {
    await send('LiveReads', { finalizedBlock: { blockNumber } })
    await sees(`block: ${blockNumber}`)
  }
  await show(1)
  await show(2)
  await ofOther().toEqual(times(2))
  await show(3)
  await show(4)
  // A repeat without a wait would be due by now.
  await page.clock.runFor(60_000)
  await ofOther().toEqual(times(2))
  await page.clock.runFor(3_600_000)
  await ofOther().toEqual(times(3))
})

it('an account is the one that is named, and else that of the session', async () => {
  await asked('Account').toEqual(expect.arrayContaining([{ address: WALLET }, { address: OTHER }]))
})

it('a session ends in a page that is shown again after its wallet switched without notice', async () => {
  await page.evaluate(`globalThis.account = '${OTHER}'`)
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await sees('session: none')
})

it('a run that failed has no step', async () => {
  await sees('step: none, no error')
  await press('Act')
  await sees('step: none, not prepared')
})
