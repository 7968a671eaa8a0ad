/** The indexer as its service runs it, in the process of the test: restarted when it ends, with a short back-off. */
import { z } from 'zod'
import { type IndexerOptions, startIndexer } from '../../../indexer/service/indexer.ts'
import { serviceLog } from '../../../indexer/service/service-log.ts'
import { superviseIndexer } from '../../../indexer/service/supervise.ts'
import { until, writeTestManifest } from '../../support/indexer.ts'
import type { World } from '../../support/protocol.ts'

const BACK_OFF = { firstMs: 50, longestMs: 200, healthyMs: 1000 }

const logLine = z.looseObject({
  msg: z.string().optional(),
  alarm: z.string().optional(),
  pid: z.number().optional(),
  schema: z.string().optional(),
  reason: z.string().optional(),
})
export type LogLine = z.output<typeof logLine>

export type Supervised = {
  log: LogLine[]
  /** Waits for a line beyond the first `from` ones. */
  logged: (matches: (line: LogLine) => boolean, from?: number) => Promise<LogLine>
  /** `kill -9` of the Ponder process. @returns whether there was one */
  kill: () => boolean
  stop: () => Promise<void>
}

export async function supervise(
  world: World,
  databaseUrl: string,
  change: Partial<IndexerOptions> = {},
): Promise<Supervised> {
  const manifest = await writeTestManifest(world)
  const log: LogLine[] = []
  const onLog = (line: string) => void log.push(parsed(line))
  const options = {
    chainId: world.chainId,
    rpcUrls: [world.rpcUrl],
    databaseUrl,
    port: 0,
    deploymentsDir: manifest.folder,
    pollingIntervalMs: 100,
    requestsPerSecond: 500,
    onLog,
    ...change,
  }
  const end = new AbortController()
  const ended = superviseIndexer(
    (signal) => startIndexer({ ...options, signal }),
    serviceLog(onLog),
    end.signal,
    BACK_OFF,
  )
  return {
    log,
    async logged(matches, from = 0) {
      const find = () => log.slice(from).find(matches)
      await until(async () => find() !== undefined)
      const found = find()
      if (!found) throw new Error('the line disappeared')
      return found
    },
    kill: () => killPonder(log),
    async stop() {
      end.abort()
      await ended
      await manifest.remove()
    },
  }
}

function parsed(line: string): LogLine {
  try {
    return logLine.parse(JSON.parse(line))
  } catch {
    return { msg: line }
  }
}

function killPonder(log: readonly LogLine[]): boolean {
  const pid = log.findLast((line) => line.msg === 'Ponder runs')?.pid
  if (pid === undefined) return false
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended already.
    return false
  }
}
