/** A visit of a page of the explorer in Chromium, and what the browser has to say of it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Visit = {
  page: Page
  context: BrowserContext
  /** Names of the documents that were sent, in order. */
  documents: string[]
  /** Errors and warnings of the console, and uncaught ones. */
  complaints: string[]
  /** Addresses of requests to other hosts. */
  elsewhere: string[]
  /** Bytes of each answer so far, as sent, without subscriptions. */
  answers: () => Promise<readonly { url: string; bytes: number }[]>
}

type Options = Parameters<Browser['newContext']>[0]

/** Opens a page in a new profile. @param url that of the explorer, with the place in its fragment */
export async function visit(browser: Browser, url: string, options: Options = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.addInitScript(WATCH_SHIFTS)
  const page = await context.newPage()
  const { origin } = new URL(url)
  const documents: string[] = []
  const complaints: string[] = []
  const elsewhere: string[] = []
  const answers: Promise<{ url: string; bytes: number }>[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
      elsewhere.push(request.url())
    const [, name] = /query (\w+)/.exec(request.postData() ?? '') ?? []
    if (name) documents.push(name)
  })
  page.on('requestfinished', (request) => {
    const url = request.url()
    answers.push(request.sizes().then(({ responseBodySize: bytes }) => ({ url, bytes })))
  })
  await page.goto(url)
  return { page, context, documents, complaints, elsewhere, answers: () => Promise.all(answers) }
}

const WATCH_SHIFTS = `
  globalThis.shifts = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** The layout shift so far, as browsers measure it: 0 is none, and 0.1 counts as good. */
export async function shiftsOf(page: Page): Promise<number> {
  return z.number().parse(await page.evaluate('globalThis.shifts'))
}

/** Pixels by which the page is wider than its window. */
export async function excessOf(page: Page): Promise<number> {
  return page
    .evaluate('document.documentElement.scrollWidth - innerWidth')
    .then((excess) => Math.max(0, Number(excess)))
}

const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })) }),
)

/** Violations of WCAG 2.2, levels A and AA, that axe finds. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy of the page refuses inline scripts, and not those of the debugger.
  await page.evaluate(AXE)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations)`,
  )
  return violations
    .parse(found)
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}
