/** How requests share the connections of the projection: each caller has its share, and what finds no room waits in a queue. */
import type { Context } from 'hono'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { type OpenSnapshot, openSnapshot } from '../projection/snapshot.ts'
import { createStatementReader, type Reading, type Readout } from '../projection/statement.ts'
import { clientAddress } from './client-address.ts'
import type { Limit } from './concurrency-limit.ts'
import type { AppEnv, Purpose } from './env.ts'
import { createQueue } from './queue.ts'
import { callerOf } from './rate-limit.ts'

/** An export ends itself at its timeout; the database ends it this much later if the gateway cannot. */
const EXPORT_MARGIN_MS = 10_000

const RETRY_AFTER_SECONDS = 2

/** One connection of the pool is reserved for the gateway's own schema: rate limits, sign-in, routes. */
export function readConnections({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): number {
  return Math.max(1, databasePoolSize - 1)
}

/** @returns opens a snapshot for a request, with the duty to close it, or reads in one statement. @throws as `AppEnv.openSnapshot` but for its block */
export function createOpener({
  config,
  db,
  control,
  watch,
}: Pick<Deps, 'config' | 'db' | 'control' | 'watch'>) {
  const queue = createQueue()
  const readStatement = createStatementReader(db)
  const connections = readConnections(config)
  const othersLeft = Math.max(1, connections - 1)
  const share = Math.min(config.readsPerClient, othersLeft)

  const workOf = (c: Context<AppEnv>, purpose: Purpose) => {
    const inAll: Limit = { key: 'all', max: connections, refuse: readsBusy }
    if (purpose === 'export' || purpose === 'live') return { limits: [inAll] }
    const caller = callerOf(c, config.trustedProxies)
    const address = clientAddress(c, config.trustedProxies)
    return {
      limits: [
        { key: `caller ${caller}`, max: share, refuse: tooManyReads },
        // Wallets cost nothing to create: those of one address together have at most two shares.
        { key: `address ${address}`, max: Math.min(2 * share, othersLeft), refuse: tooManyReads },
        inAll,
      ],
      waiting: [
        { key: `address ${address}`, max: config.readQueuePerClient, refuse: tooManyReads },
        { key: 'all', max: config.readQueueMax, refuse: readsBusy },
      ],
    }
  }

  const acquire = (c: Context<AppEnv>, purpose: Purpose, signal: AbortSignal) =>
    queue({ ...workOf(c, purpose), timeoutMs: config.databaseTimeoutMs, signal })

  const openFor = async (
    c: Context<AppEnv>,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<OpenSnapshot> => {
    const release = await acquire(c, purpose, signal)
    try {
      const deadlineMs =
        purpose === 'export' ? config.exportTimeoutMs + EXPORT_MARGIN_MS : config.readTimeoutMs
      const open = await openSnapshot(db, { deadlineMs, abort: { signal, cancel: control.cancel } })
      watch.observe(open.snapshot.finalizedThrough)
      return { snapshot: open.snapshot, close: () => open.close().finally(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  const readFor = async (c: Context<AppEnv>, reading: Reading, signal: AbortSignal): Promise<Readout> => {
    const release = await acquire(c, 'read', signal)
    const limits = { deadlineMs: config.readTimeoutMs, abort: { signal, cancel: control.cancel } }
    const readout = await readStatement(reading, limits).finally(release)
    watch.observe(readout.finalizedThrough)
    return readout
  }
  return { openFor, readFor }
}

function tooManyReads(maximum: number): CodedError {
  return new CodedError(
    'TOO_MANY_READS',
    `Reads of earlier requests of this client are still running; the maximum is ${maximum}. Wait for their answers, then try again.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}

function readsBusy(): CodedError {
  return new CodedError(
    'READS_BUSY',
    'All database connections are in use by other reads. Try again shortly.',
    {
      retryAfter: RETRY_AFTER_SECONDS,
    },
  )
}
