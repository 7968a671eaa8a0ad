/** A server that a gateway reads the projection from beside its primary. */
import { pino } from 'pino'
import { connectControl } from '../../api/projection/session/control.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import type { ReadServer } from '../../api/projection/session/read-servers.ts'

/** Longer than any test. */
const TIMEOUT_MS = 600_000

export function connectReadServer(databaseUrl: string, connections: number) {
  const pool = createPool(databaseUrl, connections, TIMEOUT_MS)
  const pipeline = connectPipelines(databaseUrl, TIMEOUT_MS)
  const control = connectControl(databaseUrl, TIMEOUT_MS, pino({ level: 'silent' }))
  const server: ReadServer = { db: createProjectionDb(pool), pipeline, cancel: control.cancel }
  return { server, stop: () => Promise.all([pool.end(), pipeline.close(), control.close()]) }
}
