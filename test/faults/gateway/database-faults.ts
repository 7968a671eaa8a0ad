/** Faults of Postgres, each with its begin and its end. */
import { execFileSync } from 'node:child_process'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { DurablePostgres } from '../../support/durable-postgres.ts'
import { until } from '../../support/indexer.ts'
import type { startProxy } from '../../support/proxy.ts'

export type DatabaseFault = {
  name: string
  /** Whether some request has to be refused while it lasts. */
  refuses: boolean
  begin: () => Promise<void>
  end: () => Promise<void>
}

type Line = Awaited<ReturnType<typeof startProxy>>

/** Connections of the server. Three of them are reserved for the superuser. */
export const CONNECTIONS = 60

const nothing = async () => {}

/** @param line between the gateways and the server @param disk of the server's files, where it has one */
export function databaseFaults(
  postgres: DurablePostgres,
  line: Line,
  disk: SmallDisk | undefined,
): DatabaseFault[] {
  const others = createOthers(postgres)
  return [
    { name: 'restarted', refuses: true, begin: postgres.stop, end: postgres.start },
    { name: 'killed', refuses: true, begin: postgres.kill, end: postgres.start },
    { name: 'one of its processes killed', refuses: false, begin: () => killBackend(postgres), end: nothing },
    { name: 'paused', refuses: true, begin: postgres.freeze, end: postgres.thaw },
    { name: 'out of connections', refuses: true, begin: others.take, end: others.leave },
    {
      name: '200 ms slower',
      refuses: false,
      begin: async () => line.delay(200),
      end: async () => line.delay(0),
    },
    {
      name: '10 s slower',
      refuses: true,
      begin: async () => line.delay(10_000),
      end: async () => line.delay(0),
    },
    {
      name: 'read-only',
      refuses: true,
      begin: () => setReadOnly(postgres, 'on'),
      end: () => setReadOnly(postgres, 'off'),
    },
    ...(disk
      ? [{ name: 'out of disk', refuses: true, begin: disk.fill, end: () => disk.empty(postgres) }]
      : []),
  ]
}

/** `kill -9` of one process: the server ends all connections and recovers. */
async function killBackend({ run }: DurablePostgres): Promise<void> {
  const [backend] = await run(`select pid from pg_stat_activity where usename = 'gateway' limit 1`)
  process.kill(Number(backend?.pid), 'SIGKILL')
}

async function setReadOnly({ run }: DurablePostgres, value: 'on' | 'off'): Promise<void> {
  await run(`alter system set default_transaction_read_only = ${value}`)
  await run('select pg_reload_conf()')
}

/** Other clients that take every connection, also those of the gateways. */
function createOthers({ urls, run }: DurablePostgres) {
  let taken: pg.Client[] = []
  const takeOne = async (): Promise<boolean> => {
    // The role of analysts has a limit.
    const client = new pg.Client({ connectionString: urls.auditor })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return false
    }
    taken.push(client)
    return true
  }
  /** Without a limit of their role, gateways would connect again before the others do. */
  const admit = (limit: number) => run(`alter role gateway connection limit ${limit}`)
  const take = async (): Promise<void> => {
    await admit(0)
    await until(async () => {
      const ended = await run(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway'`,
      )
      return ended.length === 0
    })
    while (await takeOne());
    await admit(-1)
  }
  const leave = async (): Promise<void> => {
    await Promise.all(taken.map((client) => client.end()))
    taken = []
  }
  return { take, leave }
}

export type SmallDisk = Awaited<ReturnType<typeof createSmallDisk>>

const DISK_BYTES = 400 * 2 ** 20

/** A file system in memory for the server's files, that another file fills. Only root can mount one. */
export function createSmallDisk() {
  let folder = ''
  const filler = () => join(folder, 'filler')
  return {
    mount: (at: string) => {
      folder = at
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=755`, 'tmpfs', at])
      return { remove: async () => void execFileSync('umount', [at]) }
    },
    /** Leaves no block. */
    fill: async () => {
      const { bavail, bsize } = await statfs(folder)
      await writeFile(filler(), Buffer.alloc(bavail * bsize)).catch(() => {})
    },
    /** Frees the space, and starts the server again if the fault has ended it. */
    empty: async ({ start, run }: DurablePostgres) => {
      await writeFile(filler(), '')
      await run('select 1').catch(start)
    },
  }
}
