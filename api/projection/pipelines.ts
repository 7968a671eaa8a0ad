/**
 * The pipelines to one server. Reads that add up rows take several times as long as other short ones. They have two pipelines of their own: so they use
 * more than one process of Postgres, and no other short read waits for them.
 */
import type pg from 'pg'
import { connectPipeline, PIPELINE_LIMITS, type Pipeline, type ShortReads } from './pipeline.ts'
import type { Reading } from './statement.ts'

export type Pipelines = ShortReads & {
  readonly pools: readonly pg.Pool[]
  readonly close: () => Promise<void>
}

/** @param timeoutMs of the wait for each connection, which is opened when it is needed first */
export function connectPipelines(
  databaseUrl: string,
  timeoutMs: number,
  limits = PIPELINE_LIMITS,
): Pipelines {
  const connect = () => connectPipeline(databaseUrl, timeoutMs, limits)
  const short = connect()
  const first = connect()
  const second = connect()
  const pipelineOf = ({ addsUpRows }: Reading): Pipeline => {
    if (!addsUpRows) return short
    return first.underWay() <= second.underWay() ? first : second
  }
  const all = [short, first, second]
  return {
    takes: (reading) => pipelineOf(reading).takes(reading),
    read: (reading) => pipelineOf(reading).read(reading),
    pools: all.map(({ pool }) => pool),
    close: async () => {
      await Promise.all(all.map(({ close }) => close()))
    },
  }
}
