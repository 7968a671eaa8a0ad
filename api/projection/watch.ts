/** One watcher for the whole process: who waits for a finalized block is woken by it, and asks nothing in the meantime. */
import type { ClientBase } from 'pg'
import type { Logger } from 'pino'
import { CodedError } from '../errors.ts'
import { createPool, createProjectionDb, PROJECTION_SCHEMA } from './database.ts'
import { type FinalizedThrough, readSnapshot } from './snapshot.ts'

export type ProjectionWatch = {
  /**
   * Resolves once the projection is complete through `block` or a later one.
   *
   * @returns the block it is complete through; undefined when the signal aborts or the watch is closed before
   */
  reached: (block: bigint, signal: AbortSignal) => Promise<FinalizedThrough | undefined>
  /** Lets all who wait go, at once and for good. */
  close: () => Promise<void>
}

/** Channel of the notifications of a publication, and of a trigger on the published checkpoint, in the transaction that commits a block's rows. */
export const CHANNEL = `${PROJECTION_SCHEMA}_live_query`

/** Milliseconds between polls without a notification: a standby and most poolers deliver none. */
const LOOK_INTERVAL_MS = 1000

/** Milliseconds after a look that failed, doubled after each further one up to the maximum. */
const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8000

type Waiter = { block: bigint; wake: (through?: FinalizedThrough) => void }

/**
 * Watches over one connection of its own, so that whoever waits takes none from those that answer. While nobody waits
 * nothing is asked, and Postgres soon has one connection less.
 *
 * @param timeoutMs how long to wait for a connection, and for one look
 */
export function watchProjection(databaseUrl: string, timeoutMs: number, log: Logger): ProjectionWatch {
  const waiters = new Set<Waiter>()
  const bell = createBell()
  let latest: FinalizedThrough | undefined
  let isLooking = false
  let isClosed = false

  const pool = createPool(databaseUrl, 1, timeoutMs, (client) => listen(client, bell.ring, log))
  pool.on('error', (err) => log.warn({ err }, 'the connection that watches the projection was lost'))
  const db = createProjectionDb(pool)

  const look = async (): Promise<void> => {
    isLooking = true
    let backoff = BACKOFF_MS
    while (waiters.size > 0) {
      bell.still()
      latest = await readSnapshot(db, async (snapshot) => snapshot.finalizedThrough).catch(complain(log))
      if (latest) wakeThrough(waiters, latest)
      await bell.rung(latest ? LOOK_INTERVAL_MS : backoff)
      backoff = latest ? BACKOFF_MS : Math.min(backoff * 2, BACKOFF_MAX_MS)
    }
    // In one step with the condition above: whoever comes later starts a new look.
    isLooking = false
    latest = undefined
  }

  const reached = async (block: bigint, signal: AbortSignal) => {
    if (isClosed || signal.aborted) return undefined
    if (latest && block <= latest.blockNumber) return latest
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
      if (!isLooking) void look()
    })
  }

  const close = async () => {
    if (isClosed) return
    isClosed = true
    for (const { wake } of waiters) wake()
    bell.ring()
    await pool.end()
  }
  return { reached, close }
}

function wakeThrough(waiters: ReadonlySet<Waiter>, through: FinalizedThrough): void {
  for (const { block, wake } of waiters) if (block <= through.blockNumber) wake(through)
}

/** A look that fails is no news; while an index is built, not even one to complain about. */
function complain(log: Logger) {
  return (err: unknown): undefined => {
    if (err instanceof CodedError && err.code === 'NOT_READY') return
    log.warn({ err }, 'the projection could not be watched; trying again')
  }
}

/** Every new connection listens before it is used. Where Postgres has no notifications to give, looks alone must do. */
async function listen(client: ClientBase, ring: () => void, log: Logger): Promise<void> {
  client.on('notification', ring)
  await client
    .query(`listen "${CHANNEL}"`)
    .catch((err) => log.info({ err }, 'this database does not notify; looking at intervals'))
}

/** Rung once or often, it is heard once, also by who listens only afterwards. */
function createBell() {
  let isRung = false
  let hear = () => {}
  return {
    ring: () => {
      isRung = true
      hear()
    },
    still: () => {
      isRung = false
    },
    /** Resolves when it rings, or has since it was stilled, and after so many milliseconds at the latest. */
    rung: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        hear = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isRung) hear()
      }),
  }
}
