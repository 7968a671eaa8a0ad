import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type IndexerOptions, startIndexer } from '../../indexer/service/indexer.ts'

export type Measurement = {
  events: number
  /** Over the backfill: from the first look for events to the last row written. */
  eventsPerSecond: number
  /** From the start of the process. */
  secondsToReady: number
  /** Resident set at its largest; NaN where the system does not say. */
  peakMegabytes: number
}

/** Runs the indexer until it is ready, and stops it. */
export async function measureBackfill(options: IndexerOptions): Promise<Measurement> {
  let events = 0
  let milliseconds = Number.NaN
  const startedAt = performance.now()
  const indexer = await startIndexer({
    ...options,
    onLog(line) {
      const entry = backfillEntry.parse(JSON.parse(line))
      if (entry.msg === 'Indexed block range') events += entry.event_count ?? 0
      if (entry.msg === 'Completed backfill indexing across all chains')
        milliseconds = entry.duration ?? Number.NaN
    },
  })
  await indexer.ready()
  const secondsToReady = (performance.now() - startedAt) / 1000
  const peakMegabytes = peakMemory(indexer.pid)
  await indexer.stop()
  return { events, eventsPerSecond: (1000 * events) / milliseconds, secondsToReady, peakMegabytes }
}

const backfillEntry = z.object({
  msg: z.string(),
  event_count: z.number().optional(),
  duration: z.number().optional(),
})

/** Linux keeps the highest resident set of a process (`VmHWM`, kB). */
function peakMemory(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
