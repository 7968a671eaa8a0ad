import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Ends a wait that hangs; far above what a page needs on a busy machine, where the default of 30 s is not. */
const HANG_MS = 300_000

/**
 * A headless Chromium. Without the package's option `--single-process`: with it the browser hangs at times and exits
 * with the first page that is closed.
 */
export async function launchBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => argument !== '--single-process'), '--no-sandbox'],
    timeout: HANG_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(HANG_MS))
  return browser
}
