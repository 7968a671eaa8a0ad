/** How often a gateway reads the projection, over its pool or its pipeline. */
import type pg from 'pg'
import type { ShortReads } from '../../api/projection/session/pipeline.ts'
import type { Reading } from '../../api/projection/sql/statement.ts'

/** @returns the pipeline for the gateway, what counts the reads of some work, and the number of reads so far */
export function countReads<P extends ShortReads>(pool: pg.Pool, pipeline: P) {
  let reads = 0
  pool.on('acquire', () => {
    reads += 1
  })
  const counted: P = {
    ...pipeline,
    read: (reading: Reading) => {
      reads += 1
      return pipeline.read(reading)
    },
  }
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = reads
    await work()
    return reads - before
  }
  return { pipeline: counted, readsOf, reads: () => reads }
}
