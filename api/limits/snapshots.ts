/** Shares the connections of the projection among callers. A read beyond the share of its caller waits in a queue. */
import type { Context } from 'hono'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { CodedError, isDatabaseUnavailable } from '../errors.ts'
import type { Purpose, ReadingEnv } from '../http/read-variables.ts'
import {
  type Admit,
  POINTS_PER_ESTIMATE,
  pointsOfTime,
  requireFastPlan,
} from '../projection/session/plan-cost.ts'
import { createReadServers, REPLICA_BEHIND, type ReadServer } from '../projection/session/read-servers.ts'
import { type OpenSnapshot, openSnapshot } from '../projection/session/snapshot.ts'
import type { ProjectionState, Readout } from '../projection/session/state.ts'
import { createStatementReader } from '../projection/session/statement.ts'
import { failureOf } from '../projection/sql/json.ts'
import type { Reading } from '../projection/sql/statement.ts'
import { boundNetworks, clientNetworks } from './client-address.ts'
import type { Limit } from './concurrency-limit.ts'
import { createQueue } from './queue.ts'

/** An export ends itself at its timeout; the database ends it this much later if the gateway cannot. */
const EXPORT_MARGIN_MS = 10_000

const RETRY_AFTER_SECONDS = 2

/** One connection of the pool is reserved for the gateway's own schema: rate limits, sign-in, routes. */
export function readConnections({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): number {
  return Math.max(1, databasePoolSize - 1)
}

type ReadOptions = {
  /** Whether other reads may wait for it. */
  readonly isShort: boolean
  readonly purpose: Purpose
  readonly signal: AbortSignal
}

type OpenerDeps = Pick<
  Deps,
  'config' | 'db' | 'pipeline' | 'replicas' | 'control' | 'watch' | 'log' | 'metrics'
>

/**
 * @returns opens a snapshot for a request, with the duty to close it, or reads in one statement; from a replica only if
 * it has the block `minBlock`
 * @throws as `ReadVariables.openSnapshot` but for its block
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

  const roomOf = (server: ReadServer): Limit => {
    const replica = replicas.indexOf(server) + 1
    return {
      key: `server ${replica}`,
      max: replica > 0 ? config.databasePoolSize : connections,
      refuse: readsBusy,
    }
  }

  /** @param room the limits of all callers together */
  const workOf = (c: Context<ReadingEnv>, purpose: Purpose, room: readonly Limit[]) => {
    if (purpose === 'export' || purpose === 'live') return { limits: room }
    const networks = clientNetworks(c, config.trustedProxies)
    const ofAddress = (max: number) => boundNetworks(networks, { key: 'address', max, refuse: tooManyReads })
    return {
      limits: [
        // Wallets cost nothing to create: all of one address have one share.
        ...ofAddress(config.readsPerClient).map((limit) => ({
          ...limit,
          max: Math.min(limit.max, othersLeft),
        })),
        ...room,
      ],
      waiting: [
        ...ofAddress(config.readQueuePerClient),
        { key: 'all', max: config.readQueueMax, refuse: readsBusy },
      ],
    }
  }

  const acquire = async (
    c: Context<ReadingEnv>,
    purpose: Purpose,
    room: readonly Limit[],
    signal: AbortSignal,
  ) => {
    const began = performance.now()
    const release = await queue({
      ...workOf(c, purpose, room),
      timeoutMs: config.databaseTimeoutMs,
      signal,
    }).finally(() => metrics?.waited((performance.now() - began) / 1000))
    try {
      // Other answers to this client may have been written while the read waited. A subscription skips events instead.
      if (purpose !== 'live') c.get('requireRead')()
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  const openAt = async (
    server: ReadServer,
    c: Context<ReadingEnv>,
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

  const openFor = async (c: Context<ReadingEnv>, purpose: Purpose, signal: AbortSignal, minBlock = 0n) => {
    // Reads that decide about an intent go to the server where intents are written.
    const choose = purpose === 'progress' ? servers.primary : servers.read
    const open = await choose(async (server, isReplica) => {
      const opened = await openAt(server, c, purpose, signal)
      if (!isReplica || hasReached(opened.snapshot, minBlock)) return opened
      await opened.close()
      throw REPLICA_BEHIND
    })
    watch.observe(open.snapshot.finalizedThrough)
    return open
  }

  const readTogether = async (
    c: Context<ReadingEnv>,
    reading: Reading,
    server: ReadServer,
    { purpose, signal }: ReadOptions,
  ) => {
    const release = await acquire(c, purpose, [], signal)
    return server.pipeline.read(reading).finally(release)
  }

  const readAlone = async (
    c: Context<ReadingEnv>,
    reading: Reading,
    server: ReadServer,
    { purpose, signal }: ReadOptions,
  ) => {
    const release = await acquire(c, purpose, [roomOf(server)], signal)
    const abort = { signal, cancel: server.cancel }
    const admit = purpose === 'live' ? requireFastPlan : admitFor(c)
    const limits = { deadlineMs: config.readTimeoutMs, abort, requestId: c.get('requestId'), admit }
    const startedAt = performance.now()
    try {
      return await readStatement(server.db, reading, limits)
    } catch (error) {
      // The database has worked for it, also for a client that has left, unless the database itself is at fault.
      const isWork = signal.aborted || !isDatabaseUnavailable(error)
      if (purpose === 'read' && isWork) c.get('settle')(pointsOfTime(performance.now() - startedAt))
      throw error
    } finally {
      release()
    }
  }

  const readFor = async (
    c: Context<ReadingEnv>,
    reading: Reading,
    options: ReadOptions,
    minBlock = 0n,
  ): Promise<Readout> => {
    const readOn = async (server: ReadServer) => {
      const mayShare = options.isShort && server.pipeline.takes(reading)
      const shared = mayShare ? await readTogether(c, reading, server, options) : undefined
      return shared ?? readAlone(c, reading, server, options)
    }
    const readout = await servers.read(async (server, isReplica) => {
      if (!isReplica) return readOn(server)
      const read = await readOn(server).catch((error) => {
        // A replica may be behind the block as of which it is asked.
        throw reading.leastBlock !== undefined && failureOf(error) !== undefined ? REPLICA_BEHIND : error
      })
      if (!hasReached(read, minBlock)) throw REPLICA_BEHIND
      return read
    })
    watch.observe(readout.finalizedThrough)
    return readout
  }
  return { openFor, readFor }
}

const admitFor =
  (c: Context<ReadingEnv>): Admit =>
  (planCost, tookMs) => {
    requireFastPlan(planCost)
    c.get('spend')(POINTS_PER_ESTIMATE)
    c.get('settle')(pointsOfTime(tookMs))
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
