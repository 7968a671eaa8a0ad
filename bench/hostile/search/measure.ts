/** Work that one operation causes. */
import { postgresSeconds } from '../../processes.ts'
import { graphql } from '../entry.ts'
import type { BenchWorld } from '../world.ts'
import type { Written } from './write.ts'

/** `main`: processor time of the gateway's main thread. Times are milliseconds. */
export type Figures = {
  cost: number
  main: number
  postgres: number
  held: number
  bytes: number
  /** Code of an error. */
  code: string | undefined
}

/** An operation with next to no work. */
export const LEAST: Written = { query: '{ tokens(first: 1) { nodes { id } } }', variables: {} }

/** A little less than the limit. After the answer to a larger one, the gateway closes the connection. */
const BODY_MAX = 100_000
/** No further run starts after this time. */
const RUNS_MS = 2000
let sent = 0

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
  const text = await (await fetch(url + path, init)).text()
  const { held, cpu } = await takeHeld()
  const postgres = Math.max(0, postgresSeconds(postmaster) - before) * 1000
  const cost = Number(/"cost":\{"cost":(\d+)/.exec(text.slice(-1000))?.[1])
  const code = /"errors":\[.*?"code":"(\w+)"/.exec(text)?.[1]
  return Number.isNaN(cost) ? undefined : { cost, main: cpu, postgres, held, bytes: text.length, code }
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}
