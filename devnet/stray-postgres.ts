/**
 * A Postgres of an earlier run that is not in the record of processes: it holds the data folder, and no other can start
 * there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stops the server that has the folder open; another process with its old id is not stopped. */
export async function stopStrayPostgres(data: string): Promise<boolean> {
  const pid = postmasterPid(data)
  if (pid === undefined || !commandOf(pid).includes(data)) return false
  process.kill(pid, 'SIGINT')
  while (commandOf(pid).includes(data)) await sleep(25)
  return true
}

function postmasterPid(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}

/** Empty where the system has no such file; Postgres itself then refuses to start, with the reason. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
