/** How requests share the connections of the projection: each caller has its share, and what finds no room waits in a queue. */
import type { Context } from 'hono'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { createReadServers, REPLICA_BEHIND, type ReadServer } from '../projection/read-servers.ts'
import { createStatementReader } from '../projection/read-statement.ts'
import { type OpenSnapshot, openSnapshot, type ProjectionState } from '../projection/snapshot.ts'
import type { Reading, Readout } from '../projection/statement.ts'
import { isSame } from '../projection/watch.ts'
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

type OpenerDeps = Pick<
  Deps,
  'config' | 'db' | 'pipeline' | 'replicas' | 'control' | 'watch' | 'log' | 'metrics'
>

/**
 * @returns opens a snapshot for a request, with the duty to close it, or reads in one statement; from a replica only if it has the block `minBlock`
 * @throws as `AppEnv.openSnapshot` but for its block
 */
export function createOpener({ config, db, pipeline, replicas, control, watch, log, metrics }: OpenerDeps) {
  const queue = createQueue()
  const primary: ReadServer = { db, pipeline, cancel: control.cancel }
  const servers = createReadServers(primary, replicas, (replica, err) =>
    log.warn({ err, replica: replica + 1 }, 'a read replica does not answer; others answer for it'),
  )
  const readStatement = createStatementReader()
  const connections = readConnections(config)
  const othersLeft = Math.max(1, connections - 1)
  const share = Math.min(config.readsPerClient, othersLeft)

  const roomOf = (server: ReadServer): Limit => {
    const replica = replicas.indexOf(server) + 1
    return {
      key: `server ${replica}`,
      max: replica > 0 ? config.databasePoolSize : connections,
      refuse: readsBusy,
    }
  }

  /** @param room the limits of all callers together */
  const workOf = (c: Context<AppEnv>, purpose: Purpose, room: readonly Limit[]) => {
    if (purpose === 'export' || purpose === 'live') return { limits: room }
    const caller = callerOf(c, config.trustedProxies)
    const address = clientAddress(c, config.trustedProxies)
    return {
      limits: [
        { key: `caller ${caller}`, max: share, refuse: tooManyReads },
        // Wallets cost nothing to create: those of one address together have at most two shares.
        { key: `address ${address}`, max: Math.min(2 * share, othersLeft), refuse: tooManyReads },
        ...room,
      ],
      waiting: [
        { key: `address ${address}`, max: config.readQueuePerClient, refuse: tooManyReads },
        { key: 'all', max: config.readQueueMax, refuse: readsBusy },
      ],
    }
  }

  const acquire = async (
    c: Context<AppEnv>,
    purpose: Purpose,
    room: readonly Limit[],
    signal: AbortSignal,
  ) => {
    const began = performance.now()
    try {
      return await queue({ ...workOf(c, purpose, room), timeoutMs: config.databaseTimeoutMs, signal })
    } finally {
      metrics?.waited((performance.now() - began) / 1000)
    }
  }

  const observe = (c: Context<AppEnv>, { finalizedThrough, publication }: ProjectionState) => {
    const seen = { finalizedThrough, publication }
    const before = c.get('seen')
    if (before && !isSame(before, seen)) c.set('dependsOnMore', true)
    c.set('seen', seen)
    watch.observe(finalizedThrough)
  }

  const openAt = async (
    server: ReadServer,
    c: Context<AppEnv>,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<OpenSnapshot> => {
    const release = await acquire(c, purpose, [roomOf(server)], signal)
    try {
      const deadlineMs =
        purpose === 'export' ? config.exportTimeoutMs + EXPORT_MARGIN_MS : config.readTimeoutMs
      const abort = { signal, cancel: server.cancel }
      const limits = { deadlineMs, abort, requestId: c.get('requestId') }
      const { snapshot, close } = await openSnapshot(server.db, limits)
      return { snapshot, close: () => close().finally(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  const openFor = async (c: Context<AppEnv>, purpose: Purpose, signal: AbortSignal, minBlock = 0n) => {
    // What decides about an intent is read where intents are written.
    const choose = purpose === 'progress' ? servers.primary : servers.read
    const open = await choose(async (server, isReplica) => {
      const opened = await openAt(server, c, purpose, signal)
      if (!isReplica || hasReached(opened.snapshot, minBlock)) return opened
      await opened.close()
      throw REPLICA_BEHIND
    })
    observe(c, open.snapshot)
    return open
  }

  const readTogether = async (
    c: Context<AppEnv>,
    reading: Reading,
    server: ReadServer,
    signal: AbortSignal,
  ) => {
    const release = await acquire(c, 'read', [], signal)
    return server.pipeline.read(reading).finally(release)
  }

  const readAlone = async (c: Context<AppEnv>, reading: Reading, server: ReadServer, signal: AbortSignal) => {
    const release = await acquire(c, 'read', [roomOf(server)], signal)
    const abort = { signal, cancel: server.cancel }
    const limits = { deadlineMs: config.readTimeoutMs, abort, requestId: c.get('requestId') }
    return readStatement(server.db, reading, limits).finally(release)
  }

  const readFor = async (
    c: Context<AppEnv>,
    reading: Reading,
    isShort: boolean,
    signal: AbortSignal,
    minBlock = 0n,
  ): Promise<Readout> => {
    const readout = await servers.read(async (server, isReplica) => {
      const mayShare = isShort && server.pipeline.takes(reading)
      const shared = mayShare ? await readTogether(c, reading, server, signal) : undefined
      const read = shared ?? (await readAlone(c, reading, server, signal))
      if (isReplica && !hasReached(read, minBlock)) throw REPLICA_BEHIND
      return read
    })
    observe(c, readout)
    return readout
  }
  return { openFor, readFor }
}

const hasReached = ({ finalizedThrough }: ProjectionState, block: bigint) =>
  finalizedThrough.blockNumber >= block

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
