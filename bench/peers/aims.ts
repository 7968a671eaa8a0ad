/** Bounds that the figures should keep: ratios within one run. */
import type { Peer } from './read.ts'
import { type Figures, findFigures, type Measurement, type Results, type Round } from './results.ts'
import { workloads } from './workloads/index.ts'

export type Aim = {
  workload?: string
  what: string
  bound: 'at least' | 'at most'
  limit: number
  /** Undefined: not measured. */
  measured: (results: Results) => number | undefined
  /** This ratio in processor time per request, which other work of the machine falsifies less. */
  byProcessor?: (results: Results) => number | undefined
}

const READS = ['list', 'nested', 'claim', 'page', 'count']
const RESIDENT_MEGABYTES_MAX = 250
const GATEWAYS = ['ours', 'kept'] as const
const NAMES: Record<Peer, string> = {
  ours: 'the gateway',
  kept: 'the gateway',
  postgraphile: 'PostGraphile',
  ponder: 'Ponder',
  sql: 'SQL',
}

type Gateway = (typeof GATEWAYS)[number]

const GATEWAY_NAMES: Record<Gateway, string> = {
  ours: 'the gateway that reads every answer',
  kept: 'the gateway that keeps answers',
}

export const aims: readonly Aim[] = [
  ...READS.flatMap(readAims),
  faster('rollup', 'ours', 'sql', 0.6),
  faster('rows', 'ours', 'sql', 0.9),
  ...GATEWAYS.map(smallEnough),
  ...GATEWAYS.map(steady),
]

export function holds({ bound, limit }: Aim, measured: number): boolean {
  return bound === 'at least' ? measured >= limit : measured <= limit
}

/** Whether the gateway misses an aim of this read. */
export function isMissed({ id }: { id: string }, results: Results): boolean {
  return aims.some((aim) => {
    const measured = aim.workload === id ? aim.measured(results) : undefined
    return measured !== undefined && !holds(aim, measured)
  })
}

function readAims(workload: string): Aim[] {
  const late: Aim = {
    workload,
    what: `${titleOf(workload)}: p99, PostGraphile = 1`,
    bound: 'at most',
    limit: 1,
    measured: ratio(workload, 'ours', 'postgraphile', ({ p99 }) => p99),
  }
  return [
    faster(workload, 'ours', 'postgraphile', 1.3),
    late,
    faster(workload, 'ours', 'sql', 0.6),
    faster(workload, 'ours', 'ponder', 2),
  ]
}

function faster(workload: string, peer: Peer, other: Peer, limit: number): Aim {
  return {
    workload,
    what: `${titleOf(workload)}: requests per second, ${NAMES[other]} = 1`,
    bound: 'at least',
    limit,
    measured: ratio(workload, peer, other, ({ perSecond }) => perSecond),
    byProcessor: ratio(workload, other, peer, ({ server }) => server),
  }
}

function smallEnough(peer: Gateway): Aim {
  return {
    what: `resident memory of ${GATEWAY_NAMES[peer]}, MB`,
    bound: 'at most',
    limit: RESIDENT_MEGABYTES_MAX,
    measured: ({ measurements }) => {
      const rounds = roundsOf(measurements, peer)
      return rounds.length > 0 ? Math.max(...rounds.map(largest)) : undefined
    },
  }
}

function steady(peer: Gateway): Aim {
  return {
    what: `resident memory of ${GATEWAY_NAMES[peer]} in the last round, that in the first = 1`,
    bound: 'at most',
    limit: 1.1,
    measured: ({ measurements }) => {
      const rounds = roundsOf(measurements, peer)
      const [first, last] = [rounds.at(0), rounds.at(-1)]
      return first && last && largest(last) / largest(first)
    },
  }
}

/** The measurements of a server, by round. */
function roundsOf(measurements: readonly Measurement[], peer: Peer): Round[][] {
  const own = measurements.filter((one) => one.peer === peer)
  return (own[0]?.rounds ?? []).map((_, i) => own.flatMap(({ rounds }) => rounds.slice(i, i + 1)))
}

function largest(rounds: readonly Round[]): number {
  return Math.max(...rounds.map(({ megabytes }) => megabytes))
}

function ratio(workload: string, peer: Peer, other: Peer, pick: (figures: Figures) => number) {
  return ({ measurements }: Results) =>
    quotient(findFigures(measurements, workload, peer), findFigures(measurements, workload, other), pick)
}

function quotient(
  one: Figures | undefined,
  other: Figures | undefined,
  pick: (figures: Figures) => number,
): number | undefined {
  return one && other && pick(one) / pick(other)
}

function titleOf(id: string): string {
  return workloads.find((workload) => workload.id === id)?.title ?? id
}
