/** A reader that polls the projection as the gateway does. */
import { setTimeout as pause } from 'node:timers/promises'
import { createPool, createProjectionDb } from '../../../api/projection/session/database.ts'
import { readSnapshot } from '../../../api/projection/session/snapshot.ts'

const BETWEEN_READS_MS = 2

/** Reads until it is stopped. `stop` returns the block of each answer, and rejects when a read was refused. */
export function startReader(databaseUrl: string) {
  const pool = createPool(databaseUrl, 1)
  const db = createProjectionDb(pool)
  let isStopped = false
  const read = async () => {
    const blocks: bigint[] = []
    while (!isStopped) {
      blocks.push(await readSnapshot(db, async ({ finalizedThrough }) => finalizedThrough.blockNumber))
      await pause(BETWEEN_READS_MS)
    }
    return blocks
  }
  const reading = read().finally(() => pool.end())
  // Reported by `stop`.
  reading.catch(() => {})
  return {
    stop: () => {
      isStopped = true
      return reading
    },
  }
}
