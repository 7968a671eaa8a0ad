/** Distinguishes a process from a later one with the same id. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process and its start time, in the format of the system. */
export type ProcessIdentity = { pid: number; startedAt: string }

export function identify(pid: number): ProcessIdentity {
  const startedAt = startOf(pid)
  if (startedAt === undefined) throw new Error(`there is no process ${pid}`)
  return { pid, startedAt }
}

/** Whether this process runs; another one with the same id does not count. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return startOf(pid) === startedAt
}

/** @returns undefined for a process that has ended, also where its parent has not read its exit code yet */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid)
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold blanks; the fields after it begin with the 3rd, the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[22 - 3]}`
  } catch {
    return undefined
  }
}

function startElsewhere(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
