/** A separate Postgres that is as durable as in production, and that crashes on demand. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createRoles, type DatabaseUrls, grantRoles } from '../../../devnet/database-roles.ts'
import { freePort } from '../../../devnet/ports.ts'
import { ensureDatabase, type Postgres, startPostgres } from '../../../devnet/postgres.ts'

const DATABASE = 'faults'

export type DurablePostgres = {
  urls: DatabaseUrls
  /** The server that runs now. */
  server: () => Postgres
  /** Of the indexer's role. It reconnects after a crash. */
  pool: pg.Pool
  /** Ends connections of the indexer as an administrator would. @returns how many */
  terminate: (where: string) => Promise<number>
  /** A graceful stop. */
  stop: () => Promise<void>
  /** `pg_ctl stop -m immediate`: what is not in the write-ahead log on disk is lost. */
  crash: () => Promise<void>
  /** Starts it again with the same data and port. */
  start: () => Promise<void>
  remove: () => Promise<void>
}

export async function startDurablePostgres(): Promise<DurablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-faults-'))
  // Started by root, Postgres runs as a user of its own, who has to reach the folder.
  await chmod(folder, 0o755)
  const options = { data: join(folder, 'data'), port: await freePort() }
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
    start: async () => {
      server = await startPostgres(options)
    },
    async remove() {
      await pool.end()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function terminate(owner: string, where: string): Promise<number> {
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = 'indexer' and application_name <> 'test' and (${where})`,
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
