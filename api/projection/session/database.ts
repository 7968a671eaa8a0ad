/** Connections to the database of the projection. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { PROJECTION_SCHEMA, type ProjectionTables } from '../sql/source.ts'

const NUMERIC_OID = 1700
const NUMERIC_LIST_OID = 1231
const INT8_OID = 20

/** Amounts leave Postgres as exact integers: `numeric` and `int8` become bigint, and a fraction throws. */
const exactTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === NUMERIC_OID || oid === INT8_OID) return (text: string) => BigInt(text)
    if (oid === NUMERIC_LIST_OID) return (text: string) => (text.match(/[^{},]+/g) ?? []).map(BigInt)
    return pg.types.getTypeParser(oid, format)
  },
}

/**
 * Milliseconds after its timeout at which a statement ends here, too. A server that is paused or cut off ends none, and
 * its connections would be waited for until TCP gives them up, a quarter of an hour later.
 */
const SILENCE_MS = 1000

/**
 * @param timeoutMs timeout of the wait for a connection, and of one statement; no limit by default
 * @param onConnect what is done with every new connection before it is used
 */
export function createPool(
  databaseUrl: string,
  max: number,
  timeoutMs?: number,
  onConnect?: (client: pg.ClientBase) => Promise<void>,
): pg.Pool {
  return watched(
    new pg.Pool({
      connectionString: databaseUrl,
      max,
      types: exactTypes,
      ...(timeoutMs !== undefined && {
        connectionTimeoutMillis: timeoutMs,
        statement_timeout: timeoutMs,
        query_timeout: timeoutMs + SILENCE_MS,
      }),
      ...(onConnect && { onConnect }),
    }),
  )
}

export type PipelineSettings = {
  /** Milliseconds of one statement in Postgres. */
  readonly statementMs: number
  /** Milliseconds until a statement has its answer, with the wait for others. Without one, the connection is closed. */
  readonly answerMs: number
  /** Sets up the connection before it is used. */
  readonly setUp: (client: pg.ClientBase) => Promise<unknown>
}

/**
 * Creates the pool of one connection that has several statements under way.
 *
 * @param timeoutMs of the wait for the connection
 */
export function createPipelinePool(
  databaseUrl: string,
  timeoutMs: number,
  { statementMs, answerMs, setUp }: PipelineSettings,
): pg.Pool {
  return watched(
    new pg.Pool({
      connectionString: databaseUrl,
      max: 1,
      pipeline: true,
      types: exactTypes,
      connectionTimeoutMillis: timeoutMs,
      statement_timeout: statementMs,
      query_timeout: answerMs,
      onConnect: setUp,
    }),
  )
}

function watched(pool: pg.Pool): pg.Pool {
  // A connection lost while it is in use fails the pending query or the next one, so the caller gets the error. The
  // event repeats it; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Likewise for one that is lost while it is idle. Those who report it listen too.
  pool.on('error', () => {})
  pool.on('release', (_, client) => endUnlessAnswered(client))
  return pool
}

/**
 * Statements of the next user would wait behind the one that has no answer. Without the connection, the pool makes a
 * new one.
 */
function endUnlessAnswered(client: pg.ClientBase): void {
  if (!(client instanceof pg.Client) || !awaitsAnswer(client)) return
  const { connection } = client
  const timer = setTimeout(() => connection.stream.destroy(), SILENCE_MS).unref()
  // After an error, this part of the answer is often still under way.
  connection.once('readyForQuery', () => clearTimeout(timer))
}

/** Whether the client has sent a statement that is not answered: the driver's own state. */
function awaitsAnswer(client: object): boolean {
  return 'readyForQuery' in client && client.readyForQuery === false
}

export type ProjectionDb = Kysely<ProjectionTables>

/** With its pool, for statements that are prepared by name, which Kysely does not do. */
export type PooledDb = ProjectionDb & { readonly pool: pg.Pool }

export function createProjectionDb(pool: pg.Pool): PooledDb {
  const db = new Kysely<ProjectionTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(PROJECTION_SCHEMA)
  return Object.assign(db, { pool })
}
