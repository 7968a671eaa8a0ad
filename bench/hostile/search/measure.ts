/** Work that one operation causes. */
import { postgresSeconds } from '../../processes.ts'
import { graphql } from '../entry.ts'
import type { BenchWorld } from '../world.ts'
import type { Written } from './write.ts'

/** `cost`: points that it spends. `main`: processor time of the gateway's main thread. Times are milliseconds. */
export type Figures = {
  cost: number
  main: number
  postgres: number
  held: number
  bytes: number
  /** Code of an error. */
  code: string | undefined
}

/** A little less than the limit. After the answer to a larger one, the gateway closes the connection. */
const BODY_MAX = 100_000
/** No further run starts after this time. */
const RUNS_MS = 2000
let sent = 0
/** Points that the last answer left. */
let pointsLeft = Number.POSITIVE_INFINITY

/** @returns medians of the runs after the first; undefined for an operation that is refused before it is executed */
export async function measureOperation(
  world: BenchWorld,
  postmaster: number,
  written: Written,
  runs: number,
): Promise<Figures | undefined> {
  if (JSON.stringify(written).length > BODY_MAX) return undefined
  const first = await measureOnce(world, postmaster, written)
  if (!first) return undefined
  const measured: Figures[] = []
  const end = performance.now() + RUNS_MS
  while (measured.length < runs && performance.now() < end) {
    measured.push((await measureOnce(world, postmaster, written)) ?? first)
  }
  const middle = (of: (figures: Figures) => number) => median(measured.map(of))
  return {
    ...first,
    main: middle(({ main }) => main),
    postgres: middle(({ postgres }) => postgres),
    held: middle(({ held }) => held),
  }
}

/** The comment at the end of the text, a new one each time, keeps an answer or a document from being found again. */
async function measureOnce(
  { url, takeHeld }: BenchWorld,
  postmaster: number,
  { query, variables }: Written,
): Promise<Figures | undefined> {
  sent += 1
  const { path, ...init } = await graphql('', query, variables).request(`${sent}`)
  await takeHeld()
  const before = postgresSeconds(postmaster)
  const response = await fetch(url + path, init)
  const text = await response.text()
  const { held, cpu } = await takeHeld()
  const postgres = Math.max(0, postgresSeconds(postmaster) - before) * 1000
  const cost = takeSpent(response)
  const code = /"errors":\[.*?"code":"(\w+)"/.exec(text)?.[1]
  return cost === undefined ? undefined : { cost, main: cpu, postgres, held, bytes: text.length, code }
}

/** The points that a request has spent: those that it has left less than the one before, in the same window. */
function takeSpent({ headers }: Response): number | undefined {
  const left = /"cost";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]
  const quota = /"cost";q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '')?.[1]
  if (left === undefined || quota === undefined) return undefined
  const before = pointsLeft >= Number(left) ? pointsLeft : Number(quota)
  pointsLeft = Number(left)
  return Math.min(before, Number(quota)) - pointsLeft
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}
