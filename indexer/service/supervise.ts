/** Keeps the indexer running: after each end, the next run continues at the checkpoint of the database. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Indexer, IndexerExit } from './indexer.ts'

export type BackOff = {
  /** Milliseconds before the first restart; doubled for each further one. */
  firstMs: number
  longestMs: number
  /** A run that lasted this long shows that the cause of the last restart has passed. */
  healthyMs: number
}

/**
 * Most causes pass by themselves, as a crash of Postgres does, and no block is indexed until the next start. Without
 * database or nodes, a start fails before it costs anything.
 */
const BACK_OFF: BackOff = { firstMs: 1000, longestMs: 5000, healthyMs: 60_000 }

/**
 * Starts the indexer again whenever it ends, until the signal aborts; then stops it gracefully.
 *
 * @param start starts one run; rejects if it cannot, for example while the database does not answer
 * @param backOff delay between runs. Default: 1 s, doubled up to 5 s, and 1 s again after a run of at least 60 s
 * @param clock milliseconds, which are never set back
 */
export async function superviseIndexer(
  start: (signal: AbortSignal) => Promise<Indexer>,
  log: Logger,
  signal: AbortSignal,
  backOff: BackOff = BACK_OFF,
  clock: () => number = () => performance.now(),
): Promise<void> {
  let delay: number | undefined
  for (;;) {
    const startedAt = clock()
    const reason = await runOnce(start, signal)
    if (signal.aborted) return
    delay = nextDelay(delay, clock() - startedAt, backOff)
    log.error({ alarm: 'RESTART', reason, delayMs: delay }, 'the indexer ended; it is started again')
    await pause(delay, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}

/** Milliseconds before the next start, after a run of `ranMs`. */
export function nextDelay(previous: number | undefined, ranMs: number, backOff = BACK_OFF): number {
  if (previous === undefined || ranMs >= backOff.healthyMs) return backOff.firstMs
  return Math.min(2 * previous, backOff.longestMs)
}

/** One run from start to end. @returns why it ended */
async function runOnce(
  start: (signal: AbortSignal) => Promise<Indexer>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const indexer = await start(signal)
    const stop = () => void indexer.stop()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    return await indexer.exited.then(describe).finally(() => signal.removeEventListener('abort', stop))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function describe({ code, signal, errors }: IndexerExit): string {
  const how = signal ? `ended by ${signal}` : `exit code ${code}`
  return [how, ...errors].join(' | ')
}
