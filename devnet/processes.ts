/**
 * The record of the processes that run in a folder: it refuses a second run, and lets the next one clean up after a
 * killed one.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Folder } from './folder.ts'
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts'

const identity = z.object({ pid: z.number().int(), startedAt: z.string() })
const recordShape = z.object({
  supervisor: identity,
  children: z.array(identity.extend({ name: z.string(), stopSignal: z.enum(['SIGINT', 'SIGTERM']) })),
})
type Record = z.output<typeof recordShape>
type RecordedChild = Record['children'][number]

export type ProcessRecord = {
  add: (name: string, pid: number, stopSignal: RecordedChild['stopSignal']) => void
  close: () => void
}

/** @throws Error with the id of the run that uses the folder, if there is one */
export function refuseSecondRun(folder: Folder): void {
  const record = readRecord(folder)
  if (!record || !isAlive(record.supervisor)) return
  const { pid } = record.supervisor
  throw new Error(
    `npm run dev is already running here (process ${pid}); its addresses are in ${folder.endpoints}.\n` +
      `Stop it with Ctrl-C in its terminal, or with: kill ${pid}`,
  )
}

export type Recovery = {
  /** Names of the orphans that were stopped. */
  stopped: string[]
  /** Whether the chain was killed too, and so lost its last blocks. */
  chainWasKilled: boolean
}

/** Stops what a killed run left running, each by the signal that lets it save its data. */
export async function recover(folder: Folder): Promise<Recovery | undefined> {
  const record = readRecord(folder)
  if (!record) return undefined
  const orphans = record.children.filter(isAlive)
  await Promise.all(orphans.map(stopOrphan))
  rmSync(folder.processes, { force: true })
  const stopped = orphans.map(({ name }) => name)
  return { stopped, chainWasKilled: !stopped.includes('chain') }
}

/** Far above what an orderly end takes on a busy machine: what is killed loses what it was about to write. */
const GRACE_MS = 60_000
const POLL_MS = 25

async function stopOrphan(orphan: RecordedChild): Promise<void> {
  process.kill(orphan.pid, orphan.stopSignal)
  if (await gone(orphan)) return
  process.kill(orphan.pid, 'SIGKILL')
  if (!(await gone(orphan))) throw new Error(`${orphan.name} (process ${orphan.pid}) cannot be stopped`)
}

async function gone(orphan: ProcessIdentity): Promise<boolean> {
  for (let waited = 0; waited < GRACE_MS; waited += POLL_MS) {
    if (!isAlive(orphan)) return true
    await sleep(POLL_MS)
  }
  return false
}

/** @throws Error when another run was faster */
export function openRecord(folder: Folder): ProcessRecord {
  const record: Record = { supervisor: identify(process.pid), children: [] }
  const text = () => JSON.stringify(record, null, 2)
  try {
    writeFileSync(folder.processes, text(), { flag: 'wx' })
  } catch (cause) {
    throw new Error(`another npm run dev is starting here: ${folder.processes} exists`, { cause })
  }
  return {
    add: (name, pid, stopSignal) => {
      record.children.push({ name, stopSignal, ...identify(pid) })
      writeFileSync(folder.processes, text())
    },
    close: () => rmSync(folder.processes, { force: true }),
  }
}

function readRecord(folder: Folder): Record | undefined {
  try {
    return recordShape.parse(JSON.parse(readFileSync(folder.processes, 'utf8')))
  } catch {
    return undefined
  }
}

/** The line of the console about a run that was killed. */
export function recoveryLine(recovery: Recovery | undefined): string {
  const stopped = recovery?.stopped.join(', ') || 'nothing was left running'
  return `  The last run was killed; cleaned up after it (${stopped}).`
}
