/** Measurements, as `results.json` keeps them. */
import { z } from 'zod'
import { PEERS, type Peer } from './read.ts'

const round = z.strictObject({
  requests: z.int(),
  seconds: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
  /** Seconds of processor time of the server and of Postgres. */
  server: z.number(),
  postgres: z.number(),
  /** Resident memory of the server at its largest. */
  megabytes: z.number(),
})
const measurement = z.strictObject({
  workload: z.string(),
  peer: z.enum(PEERS),
  rounds: z.array(round).min(1),
})
const profile = z.strictObject({
  workload: z.string(),
  /** Share of the time that the gateway computed, by package or folder, percent. */
  packages: z.array(z.tuple([z.string(), z.number()])),
})

export const resultsShape = z.strictObject({
  date: z.string(),
  machine: z.strictObject({
    processor: z.string(),
    cores: z.int(),
    gigabytes: z.int(),
    system: z.string(),
    /** Mean number of processes that wanted a core in the minute before the first and the last request. */
    load: z.tuple([z.number(), z.number()]),
  }),
  versions: z.record(z.string(), z.string()),
  claims: z.int(),
  connections: z.int(),
  pool: z.int(),
  measurements: z.array(measurement),
  profiles: z.array(profile).optional(),
})

export type Round = z.output<typeof round>
export type Measurement = z.output<typeof measurement>
export type Profile = z.output<typeof profile>
export type Results = z.output<typeof resultsShape>

/**
 * Requests per second and milliseconds: medians of the rounds. Processor time, seconds per 1000 requests: of all rounds
 * together.
 */
export type Figures = { perSecond: number; p50: number; p99: number; server: number; postgres: number }

export function figuresOf(rounds: readonly Round[]): Figures {
  const perThousand = (pick: (round: Round) => number) =>
    (1000 * sum(rounds.map(pick))) / sum(rounds.map(({ requests }) => requests))
  return {
    perSecond: median(rounds.map(({ requests, seconds }) => requests / seconds)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    server: perThousand(({ server }) => server),
    postgres: perThousand(({ postgres }) => postgres),
  }
}

export function findFigures(
  measurements: readonly Measurement[],
  workload: string,
  peer: Peer,
): Figures | undefined {
  const found = measurements.find((one) => one.workload === workload && one.peer === peer)
  return found && figuresOf(found.rounds)
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 0 ? (low + high) / 2 : high
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
