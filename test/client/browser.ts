/**
 * A headless Chromium whose pages hold a wallet: an EIP-1193 provider that is answered by a local account of the test.
 */
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { isHex, type LocalAccount } from 'viem'
import { freePort } from '../support/anvil.ts'

/** The page's end of the wallet. `emit` is what an extension would do by itself. */
const PROVIDER = `
  const listeners = {}
  globalThis.ethereum = {
    request: ({ method, params }) => globalThis.walletRequest(method, params ?? []),
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    removeListener: (event, listener) => { listeners[event] = (listeners[event] ?? []).filter((it) => it !== listener) },
    emit: (event, argument) => (listeners[event] ?? []).forEach((listener) => listener(argument)),
  }`

/** The test's end: the account that is connected, and the chain. */
export type TestWallet = { account: LocalAccount; chainId: number }

async function answer({ account, chainId }: TestWallet, method: string, params: readonly unknown[]) {
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.address]
  if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
  const [raw] = params
  if (method !== 'personal_sign' || !isHex(raw)) throw new Error(`the test's wallet does not know ${method}`)
  return account.signMessage({ message: { raw } })
}

const ROOT = join(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'packages/client/src/index.ts')

/** Serves a page that runs a file of the tests. Default: `test/client/page.ts`. */
export async function servePage(file = 'test/client/page.ts'): Promise<{ origin: string; server: Server }> {
  const bundle = await rolldown({
    input: join(ROOT, file),
    platform: 'browser',
    // Modules of the hooks are marked for servers of React, which this bundle is not for.
    logLevel: 'silent',
    resolve: { alias: { 'claim-financing-client': CLIENT } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const code = output[0].code.replaceAll('</script', '<\\/script')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title>
<meta name="viewport" content="width=device-width"><body><script type="module">${code}</script>`
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(html)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${port}`, server }
}

/** Puts the wallet into every page of the context. */
export function injectWallet(context: BrowserContext, wallet: TestWallet): Promise<void> {
  return injectProvider(context, (method, params) => answer(wallet, method, params))
}

/** Puts a wallet that `request` answers into every page of the context. */
export async function injectProvider(
  context: BrowserContext,
  request: (method: string, params: readonly unknown[]) => Promise<unknown>,
): Promise<void> {
  await context.exposeFunction('walletRequest', request)
  await context.addInitScript(PROVIDER)
}

/** Opens the page and waits until its gateway is there. */
export async function openPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForFunction('globalThis.gateway')
  return page
}
