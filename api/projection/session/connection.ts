/** Settings and prepared statements of a connection that reads in single statements. */
import type { ClientBase } from 'pg'
import type { Reading } from './statement.ts'

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
