/** One writer per schema: a session advisory lock, which Postgres releases when the connection that holds it ends. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { CONNECT_MS } from './connection.ts'

export type WriterLock = {
  /**
   * Resolves when the connection that holds the lock ends, for any reason: from then on another process may be the
   * writer.
   */
  lost: Promise<void>
  release: () => Promise<void>
}

export type WriterLockOptions = {
  databaseUrl: string
  schema: string
  /** Called once when another process holds the lock. */
  onWait: () => void
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

/** The server ends the session of a lost host within 25 seconds, and never a session that is only idle. */
const SESSION = `select
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('client_connection_check_interval', '2s', false),
  set_config('idle_session_timeout', '0', false)`

/**
 * Milliseconds to wait until the session is closed. A server that cannot be reached does not answer, and ends the
 * session itself.
 */
const RELEASE_MS = 5000

const KEY = `hashtextextended('indexer writer of ' || $1, 0)`

/**
 * Waits until this process is the only writer of the schema.
 *
 * @throws the error of the database; the abort reason of the signal
 */
export async function takeWriterLock(options: WriterLockOptions): Promise<WriterLock> {
  const { databaseUrl, signal } = options
  // A listener is not called for a signal that has aborted before: the wait would not end.
  signal?.throwIfAborted()
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  })
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  // An error of the connection is followed by its end.
  client.on('error', () => {})
  const end = () => void client.end()
  signal?.addEventListener('abort', end)
  try {
    await client.connect()
    await acquire(client, options)
    return { lost, release: () => Promise.race([client.end(), pause(RELEASE_MS, undefined, { ref: false })]) }
  } catch (error) {
    await client.end()
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Whether nobody writes the schema; if so, nobody can begin to before the transaction ends. */
export async function excludeWriter(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${KEY}) as is_free`, [schema])
  return rows[0]?.is_free === true
}

async function acquire(client: pg.Client, { schema, onWait }: WriterLockOptions): Promise<void> {
  await client.query(SESSION)
  const { rows } = await client.query(`select pg_try_advisory_lock(${KEY}) as is_writer`, [schema])
  if (rows[0]?.is_writer) return
  onWait()
  await client.query(`select pg_advisory_lock(${KEY})`, [schema])
}
