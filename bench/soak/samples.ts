/** Resources that the processes of the system hold at a moment. Linux only. */
import { readdirSync } from 'node:fs'
import type pg from 'pg'
import { residentMegabytes } from '../processes.ts'

export type Sample = {
  /** Since the start of the load. */
  second: number
  /** Resident megabytes. */
  gatewayMb: number
  indexerMb: number
  /** Open file descriptors. */
  gatewayFiles: number
  indexerFiles: number
  /** Connections of both to Postgres. */
  connections: number
  /** JavaScript memory of the gateway in use, megabytes: garbage that is not collected yet included. */
  heapMb: number
  /** Open subscriptions. */
  subscriptions: number
  /** Longest delay of a timer since the sample before, milliseconds. */
  delayMs: number
  /**
   * Finalized blocks that are not projected yet; NaN where the gateway does not know, since the chain or Postgres is
   * too slow.
   */
  lagBlocks: number
}

type Places = { gateway: number; indexer: number; metricsUrl: string; database: pg.Client }

export async function takeSample(
  { gateway, indexer, metricsUrl, database }: Places,
  second: number,
): Promise<Sample> {
  const metrics = await (await fetch(metricsUrl)).text()
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where usename in ('gateway', 'indexer') and pid <> pg_backend_pid()`,
  )
  return {
    second,
    gatewayMb: Math.round(residentMegabytes(gateway)),
    indexerMb: Math.round(residentMegabytes(indexer)),
    gatewayFiles: filesOf(gateway),
    indexerFiles: filesOf(indexer),
    connections: rows[0]?.count ?? 0,
    heapMb: Math.round(numberAt(metrics, 'nodejs_heap_bytes{kind="used"}') / 1e6),
    subscriptions: numberAt(metrics, 'gateway_subscriptions'),
    delayMs: Math.round(1000 * numberAt(metrics, 'nodejs_event_loop_delay_seconds{quantile="1"}')),
    lagBlocks: numberAt(metrics, 'gateway_projection_lag_blocks'),
  }
}

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** @returns NaN where the metrics have no such line */
function numberAt(metrics: string, name: string): number {
  const line = metrics.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return line === undefined ? Number.NaN : Number(line.slice(name.length))
}
