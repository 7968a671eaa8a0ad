/**
 * A streaming replica of a Postgres of ours. The binaries have no `pg_basebackup`: the files are copied while the
 * primary is in backup mode.
 */
import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../../devnet/ports.ts'
import { type Postgres, startPostgres } from '../../../devnet/postgres.ts'
import { signalAll } from '../../support/processes.ts'

export type Standby = {
  /** The address of a database of the primary at the standby. */
  urlOf: (primaryUrl: string) => string
  /** Whether it applies what it receives. */
  replay: (action: 'pause' | 'resume') => Promise<void>
  /** Stops all of its processes where they are: connections stay open and get no answer. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  stop: () => Promise<void>
  start: () => Promise<void>
  remove: () => Promise<void>
}

export async function startStandby(primary: Postgres): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-standby-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  await copyData(primary, data)
  const { port: primaryPort, username, password } = new URL(primary.url)
  const source = `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}`
  const options = { data, port: await freePort(), settings: [`primary_conninfo=${source}`] }
  let server = await startPostgres(options)
  return {
    urlOf: (primaryUrl) => {
      const url = new URL(primaryUrl)
      url.port = String(options.port)
      return url.href
    },
    replay: (action) => administer(server.url, `select pg_wal_replay_${action}()`),
    freeze: () => signalAll(server.pid, 'SIGSTOP'),
    thaw: () => signalAll(server.pid, 'SIGCONT'),
    stop: async () => void (await server.stop()),
    start: async () => {
      server = await startPostgres(options)
    },
    remove: async () => {
      await signalAll(server.pid, 'SIGCONT').catch(() => {})
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function copyData(primary: Postgres, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${primary.url}/postgres` })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    execFileSync('cp', ['-a', primary.home.data, data])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    const { uid, gid } = await stat(data)
    for (const [name, content] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      await writeFile(join(data, name), content)
      await chown(join(data, name), uid, gid)
    }
    await rm(join(data, 'postmaster.pid'), { force: true })
  } finally {
    await client.end()
  }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
