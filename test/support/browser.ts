import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Ends a wait that hangs; far above what a page needs on a busy machine, where the default of 30 s is not. */
const HANG_MS = 300_000

/**
 * Options of the package that are left out. With the first, the browser hangs at times and exits with the first page
 * that is closed. With the others, it does not keep sites apart as that of a person does: it sends no `Origin`.
 */
const LEFT_OUT = new Set(['--single-process', '--disable-web-security', '--disable-site-isolation-trials'])

/** A headless Chromium. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => !LEFT_OUT.has(argument)), '--no-sandbox'],
    timeout: HANG_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(HANG_MS))
  return browser
}
