/**
 * The pipelines to one server. Reads that add up rows take several times as long as other short ones. They have two
 * pipelines of their own, so that they use two processes of Postgres and no other short read waits for them.
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
  const inOrder = () => (first.underWay() <= second.underWay() ? [first, second] : [second, first])
  // One that is not open has nothing to do, but takes nothing either.
  const pipelineFor = (reading: Reading): Pipeline | undefined =>
    (reading.addsUpRows ? inOrder() : [short]).find((pipeline) => pipeline.takes(reading))
  const all = [short, first, second]
  return {
    takes: (reading) => pipelineFor(reading) !== undefined,
    read: async (reading) => pipelineFor(reading)?.read(reading),
    pools: all.map(({ pool }) => pool),
    close: async () => {
      await Promise.all(all.map(({ close }) => close()))
    },
  }
}
