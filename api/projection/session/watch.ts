/** One watcher of the projection per process. It wakes those that wait for a finalized block; they do not poll. */
import type { ClientBase } from 'pg'
import type { Logger } from 'pino'
import { CodedError } from '../../errors.ts'
import { PROJECTION_SCHEMA } from '../sql/source.ts'
import { createPool, createProjectionDb } from './database.ts'
import { readSnapshot } from './snapshot.ts'
import type { FinalizedThrough, ProjectionState } from './state.ts'

export type ProjectionWatch = {
  /**
   * Resolves once the projection is complete through `block` or a later one.
   *
   * @returns the block it is complete through; undefined when the signal aborts or the watch is closed before
   */
  reached: (block: bigint, signal: AbortSignal) => Promise<FinalizedThrough | undefined>
  /**
   * The state that a read would see now, the same object for as long as nothing changes. Undefined while that is not
   * certain: before the first poll, from a notification to the poll that follows it, and where the last poll is not
   * recent. A call keeps the polls going for a while.
   */
  latest: () => ProjectionState | undefined
  /**
   * Reports the block of a read, which may come before its notification and wakes those that wait for it: the poll of a
   * connection that was lost without a sign has no answer for seconds.
   */
  observe: (through: FinalizedThrough) => void
  /** Resolves all waits with undefined and ends the connection. */
  close: () => Promise<void>
}

/**
 * Channel of the notifications of a publication, and of a trigger on the published checkpoint, in the transaction that
 * commits a block's rows.
 */
export const CHANNEL = `${PROJECTION_SCHEMA}_live_query`

/** Milliseconds between polls without a notification: a standby and most poolers deliver none. */
const POLL_INTERVAL_MS = 1000

/**
 * Milliseconds that Postgres may take for one poll, and to connect. The polls are the heartbeat of the connection: one
 * that dies without a sign, as behind a firewall that forgets it, is replaced within five seconds. A keepalive of TCP
 * would not end it: none is sent while a statement is unacknowledged.
 */
const POLL_TIMEOUT_MS = 1000

/** Milliseconds after a poll that failed, doubled after each further failure up to the maximum. */
const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 2000

/** Milliseconds for which polls go on after the state was asked for. */
const INTEREST_MS = 10_000

type Waiter = { block: bigint; wake: (through?: FinalizedThrough) => void }

/**
 * Polls over one connection of its own, so that waits take none from requests. While nothing waits there are no polls,
 * and the idle connection closes.
 *
 * @param timeoutMs timeout of the connection and of one poll. Default: 1000
 */
export function watchProjection(
  databaseUrl: string,
  log: Logger,
  timeoutMs = POLL_TIMEOUT_MS,
): ProjectionWatch {
  const waiters = new Set<Waiter>()
  const notification = createSignal()
  let state: ProjectionState | undefined
  /**
   * Whether the state is of the newest block that was seen, and the poll that read it began after the last sign of a
   * change.
   */
  let isCertain = false
  /** The newest block of any read of this process. A replica that lags has earlier ones. */
  let newest = 0n
  /** Milliseconds of `performance.now`: when the poll began that read the state, and when it was last asked for. */
  let confirmedAt = Number.NEGATIVE_INFINITY
  let wantedAt = Number.NEGATIVE_INFINITY
  let isPolling = false
  let isClosed = false

  const doubt = () => {
    isCertain = false
    notification.set()
  }
  const pool = createPool(databaseUrl, 1, timeoutMs, (client) => listen(client, doubt, log))
  pool.on('error', (err) => {
    doubt()
    log.warn({ err }, 'the connection that watches the projection was lost')
  })
  const db = createProjectionDb(pool)

  const poll = async (): Promise<void> => {
    isPolling = true
    let backoff = BACKOFF_MS
    while (isWanted()) {
      notification.clear()
      const began = performance.now()
      const read = await readSnapshot(db, readState).catch(complain(log))
      if (read) confirmedAt = began
      if (!read || !state || !isSame(read, state)) state = read
      isCertain = state !== undefined && state.finalizedThrough.blockNumber >= newest && !notification.isSet()
      if (state) wakeThrough(waiters, state.finalizedThrough)
      await notification.wait(state ? POLL_INTERVAL_MS : backoff)
      backoff = state ? BACKOFF_MS : Math.min(backoff * 2, BACKOFF_MAX_MS)
    }
    // In one synchronous step with the condition above: a later call starts a new loop.
    isPolling = false
    state = undefined
    isCertain = false
  }
  const isWanted = () => !isClosed && (waiters.size > 0 || performance.now() - wantedAt < INTEREST_MS)

  const latest = () => {
    wantedAt = performance.now()
    if (!isPolling && !isClosed) void poll()
    return isCertain && wantedAt - confirmedAt <= 2 * POLL_INTERVAL_MS ? state : undefined
  }

  const observe = (through: FinalizedThrough) => {
    if (through.blockNumber <= newest) return
    newest = through.blockNumber
    if (state && newest <= state.finalizedThrough.blockNumber) return
    doubt()
    wakeThrough(waiters, through)
  }

  const reached = async (block: bigint, signal: AbortSignal) => {
    if (isClosed || signal.aborted) return undefined
    if (state && block <= state.finalizedThrough.blockNumber) return state.finalizedThrough
    return new Promise<FinalizedThrough | undefined>((resolve) => {
      const leave = () => waiter.wake()
      const waiter: Waiter = {
        block,
        wake: (through) => {
          waiters.delete(waiter)
          signal.removeEventListener('abort', leave)
          resolve(through)
        },
      }
      signal.addEventListener('abort', leave)
      waiters.add(waiter)
      if (!isPolling) void poll()
    })
  }

  const close = async () => {
    if (isClosed) return
    isClosed = true
    for (const { wake } of waiters) wake()
    notification.set()
    await pool.end()
  }
  return { reached, latest, observe, close }
}

async function readState({ finalizedThrough, publication }: ProjectionState): Promise<ProjectionState> {
  return { finalizedThrough, publication }
}

export function isSame(one: ProjectionState, other: ProjectionState): boolean {
  const isSameBlock = one.finalizedThrough.blockNumber === other.finalizedThrough.blockNumber
  return isSameBlock && one.publication === other.publication
}

function wakeThrough(waiters: ReadonlySet<Waiter>, through: FinalizedThrough): void {
  for (const { block, wake } of waiters) if (block <= through.blockNumber) wake(through)
}

/** Logs a failed poll, except while the index is built. */
function complain(log: Logger) {
  return (err: unknown): undefined => {
    if (err instanceof CodedError && err.code === 'NOT_READY') return
    log.warn({ err }, 'the projection could not be watched; trying again')
  }
}

/** Every new connection listens before it is used. Without notifications, polls at intervals suffice. */
async function listen(client: ClientBase, notify: () => void, log: Logger): Promise<void> {
  client.on('notification', notify)
  await client
    .query(`listen "${CHANNEL}"`)
    .catch((err) => log.info({ err }, 'this database does not notify; polling at intervals'))
}

/** A flag that wakes one waiter. Several calls of `set` count once, also for a wait that begins later. */
function createSignal() {
  let isSet = false
  let wake = () => {}
  return {
    set: () => {
      isSet = true
      wake()
    },
    clear: () => {
      isSet = false
    },
    isSet: () => isSet,
    /** Resolves when the signal is set, or was since the last `clear`, and after the timeout at the latest. */
    wait: (timeoutMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs).unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isSet) wake()
      }),
  }
}
