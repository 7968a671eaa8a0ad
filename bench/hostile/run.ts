/**
 * How long hostile requests, each of at most the body limit, hold the event loop of a gateway in production mode, and
 * what `/health` waits meanwhile. README.md has the figures.
 */
import { readCommand } from '../../settings/command-line.ts'
import { catalogue } from './catalogue.ts'
import type { Entry, Sent } from './entry.ts'
import { type BenchWorld, startWorld } from './world.ts'

const { positionals } = readCommand(
  'npm run bench:hostile --',
  'Measures how long hostile requests hold the event loop of a gateway.',
  {},
  { runs: 'runs of each request; default: 5', part: 'only requests whose name contains it' },
)
const RUNS = Number(positionals[0] ?? 5)
const ONLY = positionals[1] ?? ''
/** Milliseconds for which one request may hold the event loop. */
const BOUND_MS = 50
/** Requests of each entry before it is measured: the first of a kind is compiled. */
const WARM_UP = 2

type Measured = { held: number; cpu: number; health: number; answer: string }

const world = await startWorld()
try {
  const entries = catalogue(world).filter(({ name }) => name.includes(ONLY))
  console.log(`| request | answer | held: least | median | computed: median | /health waited |`)
  console.log('| --- | --- | --- | --- | --- | --- |')
  const over: string[] = []
  for (const entry of entries) {
    const runs = await measureEntry(world, entry)
    const held = sorted(runs.map((run) => run.held))
    const cpu = median(sorted(runs.map((run) => run.cpu)))
    // Other work of the machine lengthens the delay, but never the thread's processor time.
    if (Math.min(cpu, median(held)) > BOUND_MS) over.push(entry.name)
    const figures = [held[0] ?? 0, median(held), cpu, Math.max(...runs.map(({ health }) => health))]
    console.log(
      `| ${[entry.name, runs[0]?.answer, ...figures.map((figure) => figure.toFixed(1))].join(' | ')} |`,
    )
  }
  const verdict = over.length > 0 ? `over ${BOUND_MS} ms: ${over.join(', ')}` : `none over ${BOUND_MS} ms`
  console.log(`\n${entries.length} requests, ${RUNS} runs each, milliseconds; ${verdict}`)
  if (over.length > 0) process.exitCode = 1
} finally {
  await world.stop()
}

async function measureEntry(world: BenchWorld, entry: Entry): Promise<Measured[]> {
  const runs: Measured[] = []
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    // Unlike the one before, so that no cache answers it.
    const sent = await entry.request(`${entry.name} ${run}`.replaceAll(/\W/g, '_'))
    runs.push(await measure(world, sent))
  }
  return runs.slice(WARM_UP)
}

async function measure({ url, takeHeld }: BenchWorld, { path, ...init }: Sent): Promise<Measured> {
  await takeHeld()
  let isAnswered = false
  const health = longestWait(`${url}/api/v1/health`, () => isAnswered)
  const answer = await fetch(url + path, init)
    .then(async (response) => describe(response.status, await response.text()))
    .catch((error: unknown) => `none: ${error instanceof Error ? String(error.cause) : error}`)
  isAnswered = true
  return { ...(await takeHeld()), health: await health, answer }
}

async function longestWait(url: string, isOver: () => boolean): Promise<number> {
  let longest = 0
  do {
    const start = performance.now()
    await (await fetch(url)).text()
    longest = Math.max(longest, performance.now() - start)
  } while (!isOver())
  return longest
}

function describe(status: number, text: string): string {
  const code = /"code":"(\w+)"/.exec(text)?.[1]
  return `${status} ${code ?? ''} ${text.length} B`.replace('  ', ' ')
}

function sorted(figures: readonly number[]): number[] {
  return figures.toSorted((a, b) => a - b)
}

function median(figures: readonly number[]): number {
  return figures[Math.floor(figures.length / 2)] ?? 0
}
