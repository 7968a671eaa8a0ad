/** Processor time and memory of processes, as Linux counts them. */
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** The unit in which Linux counts processor time: 1/100 s, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Seconds of all threads of the process. */
export function processorSeconds(pid: number): number {
  const [user, system] = statOf(pid).slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND
}

/** Seconds of the process's first thread, as the scheduler counts them: in nanoseconds. 0 once the process is gone. */
function mainThreadSeconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error
    return 0
  }
}

/** The process of the server that the connection's own is a child of. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const parent = statOf(rows[0]?.pid ?? 0)[1]
  await client.end()
  return Number(parent)
}

/** Seconds of the server's processes, each of one thread, those that have ended included. */
export function postgresSeconds(postmaster: number): number {
  const alive = childrenOf(postmaster).map(mainThreadSeconds)
  const ended = statOf(postmaster).slice(13, 15).map(Number)
  return [...ended.map((ticks) => ticks / TICKS_PER_SECOND), ...alive].reduce((sum, part) => sum + part, 0)
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Resident memory, MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
