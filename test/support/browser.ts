import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * A headless Chromium. Not in one process with its pages, as the package is told for the cloud: so it hangs now and then,
 * and ends with the first page that is closed.
 */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => argument !== '--single-process'), '--no-sandbox'],
  })
}
