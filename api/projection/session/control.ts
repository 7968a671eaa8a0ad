/** Connections beside the pool: readiness and cancellation work when reads hold every connection of the pool. */
import type { Logger } from 'pino'
import { createPool, createProjectionDb, type ProjectionDb } from './database.ts'

export type Control = {
  /** For one read at a time, so that a connection remains for cancellation. */
  db: ProjectionDb
  /** Cancels the statement that a connection of the same database role runs, if it runs one. */
  cancel: (backendPid: number) => Promise<void>
  close: () => Promise<void>
}

/** One to read over, one to cancel over. Both are opened when needed and closed when idle. */
const CONNECTIONS = 2

/** @param timeoutMs how long to wait for a connection, and for one statement */
export function connectControl(databaseUrl: string, timeoutMs: number, log: Logger): Control {
  const pool = createPool(databaseUrl, CONNECTIONS, timeoutMs)
  pool.on('error', (err) => log.warn({ err }, 'an idle control connection was lost'))
  return {
    db: createProjectionDb(pool),
    cancel: async (backendPid) => {
      await pool.query('select pg_cancel_backend($1)', [backendPid])
    },
    close: () => pool.end(),
  }
}
