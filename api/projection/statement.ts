/**
 * Reads that are one statement: Postgres makes the answer. One statement is one snapshot, so it needs no transaction around it, and
 * names its finalized block itself.
 */
import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type { ClientBase, QueryConfig } from 'pg'
import { turnEnd } from '../turn-end.ts'
import { type Abort, cancelOnAbort } from './cancel.ts'
import type { PooledDb } from './database.ts'
import { type Json, toText } from './json.ts'
import { fromState, type ProjectionState, refuseUnpublished, requireReady } from './snapshot.ts'

/** A statement that reads a value of JSON and the state of the projection. */
export type Reading = {
  readonly text: string
  readonly values: readonly unknown[]
  /** Name of a statement that is prepared. Equal statements have equal names. */
  readonly name?: string
}

/** The text of the value, and the state it was read from. */
export type Readout = ProjectionState & { readonly text: string }

export type ReadLimits = {
  readonly deadlineMs: number
  readonly abort: Abort
  /** Id of the request, in a comment of a statement that is not prepared: a prepared one has one text for all requests. */
  readonly requestId: string
}

/**
 * Characters of the statements that a connection may prepare. It is closed after that: Postgres keeps each until then, some 120 bytes per
 * character, and a client can request any number of different ones.
 */
const PREPARED_TEXT_MAX = 64 * 1024
/** Characters of the longest statement that is prepared. */
const STATEMENT_TEXT_MAX = 8 * 1024

/** What is known of a connection: its process, and the statements that it has prepared, with their lengths. */
type Known = { readonly pid: number; readonly prepared: Map<string, number> }

/** @returns reads a value in one statement. @throws as `readSnapshot` */
export function createStatementReader() {
  const connections = new WeakMap<ClientBase, Known>()
  const learn = async (client: ClientBase): Promise<Known> => {
    const known = connections.get(client) ?? (await setUp(client))
    connections.set(client, known)
    return known
  }
  return async (db: PooledDb, reading: Reading, limits: ReadLimits): Promise<Readout> => {
    const client = await db.pool.connect()
    let isFull = false
    try {
      const known = await learn(client)
      if (reading.name !== undefined) known.prepared.set(reading.name, reading.text.length)
      isFull = sizeOf(known) > PREPARED_TEXT_MAX
      return await run(client, known.pid, reading, limits)
    } finally {
      client.release(isFull)
    }
  }
}

/**
 * Settings for the life of the connection. One read is the work of one process: parallel workers would multiply its share. The planner's
 * cost of an answer with many rows would start the compiler of expressions, which takes longer than any answer. Times are written as
 * `toTime` expects.
 */
async function setUp(client: ClientBase): Promise<Known> {
  const { rows } = await client.query<{ pid: number }>(`
    select pg_backend_pid() as pid, set_config('DateStyle', 'ISO', false) as dates, set_config('jit', 'off', false) as jit,
      set_config('max_parallel_workers_per_gather', '0', false) as workers`)
  return { pid: rows[0]?.pid ?? 0, prepared: new Map() }
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
    const [row] = rows
    return { text: row?.data ?? 'null', ...requireReady(row && { ...row, isReady: row.is_ready }) }
  } catch (error) {
    return refuseUnpublished(error)
  } finally {
    // As a snapshot, it keeps its connection until the cancellation has ended.
    await stopCancelling()
  }
}

type Row = { is_ready: boolean; checkpoint: string | null; publication: string | null; data: string }

/** Writes statements whose names are those of the database. The plugins of the projection's own would copy the whole tree to rewrite names. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/**
 * @param json a value of JSON, which may use the row `state`
 * @param hasOnePlan whether one plan is good for all parameters, as for a key. The statement is prepared then. A filter is planned with its values
 * each time: the best plan for a common value can read the whole table for a rare one.
 */
export function toReading(json: Json, hasOnePlan: boolean): Reading {
  const compiled: CompiledQuery = sql`
    select state.is_ready, state.checkpoint, state.publication, ${toText(json)} as data ${fromState()}`.compile(
    writer,
  )
  const { sql: text, parameters: values } = compiled
  const isPrepared = hasOnePlan && text.length <= STATEMENT_TEXT_MAX
  return { text, values, ...(isPrepared && { name: nameOf(text) }) }
}

/** With the id at the start where the text is not prepared, because Postgres shows only the first kilobyte of a running statement. An id has letters, digits, `_`, `-` and `=`. */
function toQuery({ name, text, values }: Reading, requestId: string): QueryConfig {
  if (name === undefined) return { text: `/* request ${requestId} */ ${text}`, values: [...values] }
  return { name, text, values: [...values] }
}

function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}

function sizeOf({ prepared }: Known): number {
  return [...prepared.values()].reduce((sum, length) => sum + length, 0)
}
