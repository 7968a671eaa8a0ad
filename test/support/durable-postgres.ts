/** A separate Postgres that is as durable as in production, and that crashes on demand. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createRoles, type DatabaseUrls, grantRoles } from '../../devnet/database-roles.ts'
import { freePort } from '../../devnet/ports.ts'
import { ensureDatabase, type Postgres, startPostgres } from '../../devnet/postgres.ts'
import { signalAll } from './processes.ts'

const DATABASE = 'faults'

export type DurablePostgres = {
  urls: DatabaseUrls
  /** The server that runs now. */
  server: () => Postgres
  /** Connections of the indexer's role, which are made again after a crash. */
  pool: pg.Pool
  /** Ends connections of the indexer as an administrator would. @returns how many */
  terminate: (where: string) => Promise<number>
  /** A graceful stop. */
  stop: () => Promise<void>
  /** `pg_ctl stop -m immediate`: what is not in the write-ahead log on disk is lost. */
  crash: () => Promise<void>
  /** `kill -9` of the server; its other processes end when they notice. */
  kill: () => Promise<void>
  /** Stops all of its processes where they are: connections stay open and get no answer. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Runs a statement as the superuser. */
  run: (statement: string) => Promise<Record<string, unknown>[]>
  /** Starts it again with the same data and port. */
  start: () => Promise<void>
  remove: () => Promise<void>
}

type Options = {
  /** Server settings beside the port. */
  settings?: readonly string[]
  /** Makes the file system of the data in this folder; removes it in the end. */
  disk?: (folder: string) => { remove: () => Promise<void> }
}

export async function startDurablePostgres({ settings, disk }: Options = {}): Promise<DurablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-faults-'))
  // Started by root, Postgres runs as a user of its own, who has to reach the folder.
  await chmod(folder, 0o755)
  const mounted = disk?.(folder)
  const options = { data: join(folder, 'data'), port: await freePort(), ...(settings && { settings }) }
  let server: Postgres = await startPostgres(options)
  await createRoles(server.url)
  const owner = await ensureDatabase(server.url, DATABASE)
  const urls = await grantRoles(owner)
  const pool = new pg.Pool({ connectionString: urls.indexer, max: 2, application_name: 'test' })
  pool.on('error', () => {})
  return {
    urls,
    server: () => server,
    pool,
    terminate: (where) => terminate(owner, where),
    stop: async () => void (await server.stop()),
    crash: async () => {
      process.kill(server.pid, 'SIGQUIT')
      await server.exited
    },
    kill: async () => {
      process.kill(server.pid, 'SIGKILL')
      await server.exited
    },
    freeze: () => signalAll(server.pid, 'SIGSTOP'),
    thaw: () => signalAll(server.pid, 'SIGCONT'),
    run: (statement) => asOwner(owner, async (client) => (await client.query(statement)).rows),
    start: async () => {
      server = await startPostgres(options)
    },
    async remove() {
      await pool.end()
      await server.stop()
      await mounted?.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function terminate(owner: string, where: string): Promise<number> {
  return asOwner(owner, async (client) => {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = 'indexer' and application_name <> 'test' and (${where})`,
    )
    return rowCount ?? 0
  })
}

async function asOwner<T>(owner: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: owner })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
