/**
 * Short reads of many requests over one connection. Statements of one turn of the event loop are one message, and
 * Postgres answers them in their order: it is woken once for all of them, which takes longer than most of them do. The
 * protocol names this a pipeline.
 *
 * A statement waits for those before it. So one is ended as soon as it is not short, few are under way, and whatever
 * the pipeline has no answer to is read over a connection of its own: no read fails because of others.
 */
import pg from 'pg'
import { isDatabaseUnavailable } from '../../errors.ts'
import { turnEnd } from '../../turn-end.ts'
import type { Reading } from '../sql/statement.ts'
import { createPipelinePool } from './database.ts'
import { type Readout, type Row, refuseUnpublished, toReadout } from './state.ts'
import { notePrepared, type Prepared, setUp, toQuery } from './statement.ts'

export type ShortReads = {
  /** Whether it can send the statement now: one that is prepared, so that its plan is good for all values. */
  readonly takes: (reading: Reading) => boolean
  /** Undefined where the statement needs a connection of its own. @throws as `readSnapshot` */
  readonly read: (reading: Reading) => Promise<Readout | undefined>
}

export type Pipeline = ShortReads & {
  /** Statements without an answer. */
  readonly underWay: () => number
  /** The pool of the one connection. */
  readonly pool: pg.Pool
  readonly close: () => Promise<void>
}

/** The pipelines to one server. */
export type Pipelines = ShortReads & {
  readonly pools: readonly pg.Pool[]
  readonly close: () => Promise<void>
}

/** Statements that may be under way. */
const STATEMENTS_MAX = 32
export const PIPELINE_LIMITS = {
  /** Milliseconds of one statement in Postgres. */
  statementMs: 100,
  /** Milliseconds until an answer; without it, the connection is given up. */
  answerMs: 1000,
}
/** Milliseconds between two attempts to connect. */
const REST_MS = 1000

/** The connection, the statements under way, and whether it takes no more. */
type Line = { readonly client: pg.PoolClient; readonly prepared: Prepared; underWay: number; isLeft: boolean }

/** @param timeoutMs of the wait for the connection, which is opened when it is needed first */
export function connectPipeline(databaseUrl: string, timeoutMs: number, limits = PIPELINE_LIMITS): Pipeline {
  const pool = createPipelinePool(databaseUrl, timeoutMs, { ...limits, setUp })
  let current: Line | undefined
  /** Resolves when the attempt to connect ends. */
  let opening: Promise<void> | undefined
  let isClosed = false
  let restUntil = 0

  const leave = (line: Line) => {
    if (line.isLeft) return
    if (current === line) current = undefined
    line.isLeft = true
    closeLeft(line)
  }
  const open = async () => {
    try {
      // `connect` can throw at once, as for a certificate that cannot be read. That must come after `opening` is set.
      await turnEnd()
      const line: Line = {
        client: await pool.connect(),
        prepared: new Map(),
        underWay: 0,
        isLeft: false,
      }
      line.client.once('error', () => leave(line))
      current = line
    } catch {
      // Reads over connections of their own report what is wrong with the database.
      restUntil = performance.now() + REST_MS
    } finally {
      opening = undefined
    }
  }
  return {
    pool,
    underWay: () => current?.underWay ?? 0,
    takes: ({ name }) => {
      if (name === undefined) return false
      if (!current && !isClosed && performance.now() >= restUntil) opening ??= open()
      return current !== undefined && current.underWay < STATEMENTS_MAX
    },
    read: async (reading) => {
      const line = current
      if (!line || line.underWay >= STATEMENTS_MAX) return undefined
      const isFull = notePrepared(line.prepared, reading)
      line.underWay += 1
      if (isFull) leave(line)
      try {
        return await ask(line.client, reading)
      } finally {
        line.underWay -= 1
        closeLeft(line)
      }
    },
    close: async () => {
      isClosed = true
      // The pool would wait for a connection that nothing releases.
      await opening
      if (current) leave(current)
      await pool.end()
    },
  }
}

/**
 * Connects the pipelines to one server. Reads that add up rows take several times as long as other short ones. They
 * have two pipelines of their own, so that they use two processes of Postgres and no other short read waits for them.
 *
 * @param timeoutMs of the wait for each connection, which is opened when it is needed first
 */
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

/** One that is left answers what is under way first. */
function closeLeft({ client, underWay, isLeft }: Line): void {
  if (isLeft && underWay === 0) client.release(true)
}

async function ask(client: pg.PoolClient, reading: Reading): Promise<Readout | undefined> {
  try {
    await turnEnd()
    sendTogether(client)
    const { rows } = await client.query<Row>(toQuery(reading))
    return toReadout(rows[0])
  } catch (error) {
    return isOfPipeline(error) ? undefined : refuseUnpublished(error)
  }
}

/** Makes one message of what is sent from now on until the end of these callbacks. */
function sendTogether(client: pg.PoolClient): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * A statement was sent for one that another statement prepares, which failed (invalid_sql_statement_name); or it
 * prepares what yet another has prepared meanwhile (duplicate_prepared_statement).
 */
const PREPARED_BY_ANOTHER: readonly unknown[] = ['26000', '42P05']

/** Whether the statement may be answered over another connection: it takes long, or the pipeline failed. */
function isOfPipeline(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true
  return error instanceof Error && 'code' in error && PREPARED_BY_ANOTHER.includes(error.code)
}
