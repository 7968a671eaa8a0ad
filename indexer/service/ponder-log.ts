/** The log of a Ponder process: one JSON object per line. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'

export const ERROR_LEVEL = 50

const logEntry = z.object({
  level: z.number(),
  msg: z.string().default(''),
  endpoint: z.string().optional(),
  error: z.object({ message: z.string() }).optional(),
})
type LogEntry = z.output<typeof logEntry>

/** A line that is not a log entry was printed by Node itself, and counts as an error. */
export function parseLogLine(line: string): LogEntry {
  const unformatted = { level: ERROR_LEVEL, msg: line }
  try {
    return logEntry.safeParse(JSON.parse(line)).data ?? unformatted
  } catch {
    return unformatted
  }
}

export function forEachLine(streams: readonly Readable[], visit: (line: string) => void): void {
  for (const input of streams) createInterface({ input }).on('line', visit)
}
