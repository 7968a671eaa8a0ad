/**
 * Reads in one statement, over a connection that prepares those with a name. One statement is one snapshot, so it needs
 * no transaction around it, and names its finalized block itself.
 */
import type { ClientBase, QueryConfig } from 'pg'
import { isOutOfTime } from '../../errors.ts'
import { turnEnd } from '../../turn-end.ts'
import type { Reading } from '../sql/statement.ts'
import { type Abort, cancelOnAbort } from './cancel.ts'
import type { PooledDb } from './database.ts'
import { type Admit, outOfTime, planCostOf } from './plan-cost.ts'
import { type Readout, type Row, refuseUnpublished, toReadout } from './state.ts'

/** The statements that a connection has prepared, with their lengths. */
export type Prepared = Map<string, number>

/**
 * Characters of the statements that a connection may prepare. It is closed after that: Postgres keeps each until then,
 * some 120 bytes per character, and a client can request any number of different ones.
 */
const PREPARED_TEXT_MAX = 64 * 1024

/**
 * Settings for the life of the connection. One read is the work of one process: parallel workers would multiply its
 * share. The planner's cost of an answer with many rows would start the compiler of expressions, which takes longer
 * than any answer. Times are written as `toTime` expects.
 *
 * @returns its process
 */
export async function setUp(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(`
    select pg_backend_pid() as pid, set_config('DateStyle', 'ISO', false) as dates, set_config('jit', 'off', false) as jit,
      set_config('max_parallel_workers_per_gather', '0', false) as workers`)
  return rows[0]?.pid ?? 0
}

/** Notes what the connection prepares. @returns whether it is full, and must be closed after this statement */
export function notePrepared(prepared: Prepared, { name, text }: Reading): boolean {
  if (name !== undefined) prepared.set(name, text.length)
  return sumOf(prepared.values()) > PREPARED_TEXT_MAX
}

function sumOf(lengths: Iterable<number>): number {
  let sum = 0
  for (const length of lengths) sum += length
  return sum
}

/**
 * With the id at the start where the text is not prepared, because Postgres shows only the first kilobyte of a running
 * statement. An id has letters, digits, `_`, `-` and `=`.
 */
export function toQuery({ name, text, values }: Reading, requestId = ''): QueryConfig {
  if (name === undefined) return { text: `/* request ${requestId} */ ${text}`, values: [...values] }
  return { name, text, values: [...values] }
}

export type ReadLimits = {
  readonly deadlineMs: number
  readonly abort: Abort
  /**
   * Id of the request, in a comment of a statement that is not prepared: a prepared one has one text for all requests.
   */
  readonly requestId: string
  /** Admits a statement with filters, by its planned cost. Default: all. */
  readonly admit?: Admit | undefined
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
  { deadlineMs, abort, requestId, admit }: ReadLimits,
): Promise<Readout> {
  const stopCancelling = cancelOnAbort(abort, pid, deadlineMs)
  try {
    await turnEnd()
    if (admit && reading.isFiltered) {
      const startedAt = performance.now()
      admit(await planCostOf(client, reading), performance.now() - startedAt)
    }
    const { rows } = await client.query<Row>(toQuery(reading, requestId)).catch((error: unknown) => {
      // Without a filter, rows are found by a key: if that takes long, the database is at fault.
      throw reading.isFiltered && isOutOfTime(error) && !abort.signal.aborted ? outOfTime() : error
    })
    return toReadout(rows[0])
  } catch (error) {
    return refuseUnpublished(error)
  } finally {
    // As a snapshot, it keeps its connection until the cancellation has ended.
    await stopCancelling()
  }
}
