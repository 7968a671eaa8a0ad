/** How often a gateway reads the projection, over its pool or its pipeline. */
import type pg from 'pg'
import type { Pipeline } from '../../api/projection/pipeline.ts'

/** @returns the pipeline for the gateway, and what counts the reads of some work */
export function countReads(pool: pg.Pool, pipeline: Pipeline) {
  let reads = 0
  pool.on('acquire', () => {
    reads += 1
  })
  const counted: Pipeline = {
    ...pipeline,
    read: (reading) => {
      reads += 1
      return pipeline.read(reading)
    },
  }
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = reads
    await work()
    return reads - before
  }
  return { pipeline: counted, readsOf }
}
