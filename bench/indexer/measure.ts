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
  ranges: readonly Range[]
}

/** Blocks that were indexed together: seconds from the start to their end, and those of their handlers. */
export type Range = { events: number; endedAt: number; handlers: number }

/** Runs the indexer until it is ready, and stops it. */
export async function measureBackfill(options: IndexerOptions): Promise<Measurement> {
  const ranges: Range[] = []
  let milliseconds = Number.NaN
  const startedAt = performance.now()
  const indexer = await startIndexer({
    ...options,
    onLog(line) {
      // Node itself writes lines that are not JSON, such as warnings.
      if (!line.startsWith('{')) return
      const entry = backfillEntry.parse(JSON.parse(line))
      const { event_count, duration = Number.NaN } = entry
      if (entry.msg === 'Indexed block range' && event_count)
        ranges.push({ events: event_count, endedAt: secondsSince(startedAt), handlers: duration / 1000 })
      if (entry.msg === 'Completed backfill indexing across all chains') milliseconds = duration
    },
  })
  await indexer.ready()
  const secondsToReady = secondsSince(startedAt)
  const peakMegabytes = peakMemory(indexer.pid)
  await indexer.stop()
  const events = ranges.reduce((sum, range) => sum + range.events, 0)
  return { events, eventsPerSecond: (1000 * events) / milliseconds, secondsToReady, peakMegabytes, ranges }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000
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
