/** Reads in one statement over a connection of its own, within the limits of the request. */
import type { ClientBase } from 'pg'
import { turnEnd } from '../../turn-end.ts'
import { type Abort, cancelOnAbort } from './cancel.ts'
import { notePrepared, type Prepared, setUp } from './connection.ts'
import type { PooledDb } from './database.ts'
import { refuseUnpublished } from './snapshot.ts'
import { type Reading, type Readout, type Row, toQuery, toReadout } from './statement.ts'

export type ReadLimits = {
  readonly deadlineMs: number
  readonly abort: Abort
  /**
   * Id of the request, in a comment of a statement that is not prepared: a prepared one has one text for all requests.
   */
  readonly requestId: string
}

/** The process of a connection, and the statements that it has prepared. */
type Known = { readonly pid: number; readonly prepared: Prepared }

/** @returns reads a value in one statement. @throws as `readSnapshot` */
export function createStatementReader() {
  const connections = new WeakMap<ClientBase, Known>()
  const learn = async (client: ClientBase): Promise<Known> => {
    const known = connections.get(client) ?? { pid: await setUp(client), prepared: new Map() }
    connections.set(client, known)
    return known
  }
  return async (db: PooledDb, reading: Reading, limits: ReadLimits): Promise<Readout> => {
    const client = await db.pool.connect()
    let isFull = false
    try {
      const known = await learn(client)
      isFull = notePrepared(known.prepared, reading)
      return await run(client, known.pid, reading, limits)
    } finally {
      client.release(isFull)
    }
  }
}

async function run(
  client: ClientBase,
  pid: number,
  reading: Reading,
  { deadlineMs, abort, requestId }: ReadLimits,
): Promise<Readout> {
  const stopCancelling = cancelOnAbort(abort, pid, deadlineMs)
  try {
    await turnEnd()
    const { rows } = await client.query<Row>(toQuery(reading, requestId))
    return toReadout(rows[0])
  } catch (error) {
    return refuseUnpublished(error)
  } finally {
    // As a snapshot, it keeps its connection until the cancellation has ended.
    await stopCancelling()
  }
}
