/**
 * How soon the market of the explorer is there, and how long it holds the main thread of the browser, beside the
 * GraphQL playground of the same gateway.
 *
 * Each visit has a new profile, so nothing is kept. Visits of both pages alternate.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { z } from 'zod'
import { readCommand } from '../../settings/command-line.ts'
import { launchBrowser } from '../../test/support/browser.ts'
import { startDev } from '../dev-system.ts'

const FIGURES = [
  ['paint', 'first paint, ms'],
  ['done', 'charts drawn, or editor ready, ms'],
  ['task', 'main thread, ms'],
  ['script', 'of this, script, ms'],
  ['layouts', 'layouts'],
  ['longest', 'longest task, ms'],
] as const
type Figure = (typeof FIGURES)[number][0]
type Visit = Readonly<Record<Figure, number>>

const { values } = readCommand(
  'npm run bench:explorer --',
  'Prints when the market of the explorer is there, and for how long it holds the main thread, beside the playground.',
  {
    visits: { type: 'string', value: '9', default: '9', meaning: 'number of visits of each page' },
    slowdown: {
      type: 'string',
      value: '4',
      default: '1',
      meaning: 'slows the processor down, as a phone is slower',
    },
  },
)
const visits = Number(values.visits)
const slowdown = Number(values.slowdown)

const WATCH_TASKS = `
  globalThis.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
  }).observe({ type: 'longtask', buffered: true })`

const paintShape = z.number()
const metricsShape = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

async function measure(browser: Browser, url: string, isDone: (page: Page) => Promise<void>): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(WATCH_TASKS)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(url)
  await isDone(page)
  const done = paintShape.parse(await page.evaluate('performance.now()'))
  const painted = await page.waitForFunction(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
  )
  const paint = paintShape.parse(await painted.jsonValue())
  const { metrics } = metricsShape.parse(await session.send('Performance.getMetrics'))
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  const longest = paintShape.parse(await page.evaluate('globalThis.longest'))
  await context.close()
  return {
    paint,
    done,
    task: metric('TaskDuration') * 1000,
    script: metric('ScriptDuration') * 1000,
    layouts: metric('LayoutCount'),
    longest,
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const folder = mkdtempSync(join(tmpdir(), 'bench-explorer-'))
// Postgres runs as a user of its own.
chmodSync(folder, 0o755)
const dev = await startDev(join(folder, 'dev'), [])
const browser = await launchBrowser()
try {
  const pages = {
    market: { url: `${dev.endpoints.gatewayUrl}/explore/`, last: '.drawing svg >> nth=4' },
    playground: { url: dev.endpoints.graphqlUrl, last: '.graphiql-container .graphiql-query-editor' },
  }
  const seen: Record<keyof typeof pages, Visit[]> = { market: [], playground: [] }
  for (let visit = 0; visit < visits; visit++) {
    for (const name of ['market', 'playground'] as const) {
      const { url, last } = pages[name]
      seen[name].push(await measure(browser, url, (page) => page.locator(last).waitFor()))
    }
  }
  console.log(`Medians of ${visits} visits, processor slowed down ${slowdown} times\n`)
  console.log('| figure | market | playground | ratio |\n| --- | --- | --- | --- |')
  for (const [figure, title] of FIGURES) {
    const [market, playground] = [seen.market, seen.playground].map((own) =>
      medianOf(own.map((one) => one[figure])),
    )
    if (market === undefined || playground === undefined) continue
    console.log(
      `| ${title} | ${market.toFixed(0)} | ${playground.toFixed(0)} | ${(market / playground).toFixed(2)} |`,
    )
  }
} finally {
  await browser.close()
  await dev.stop()
  rmSync(folder, { recursive: true, force: true })
}
