/**
 * The state of what the gateway uses, read when its metrics are: connections, threads, the projection, the chain, the
 * intents.
 */
import type pg from 'pg'
import { type PinnedBlock, pinFinalizedBlock } from '../chain/pin-block.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { OptimizerPool } from '../optimizer-pool/index.ts'
import { createPool, createProjectionDb } from '../projection/session/database.ts'
import { readSnapshot } from '../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import { createStore } from '../store/database.ts'
import { countIntents } from '../store/route-intents.ts'
import { recent } from './recent.ts'

/** Milliseconds to wait for a connection, and for one statement. */
const TIMEOUT_MS = 2_000

export type Parts = Pick<Deps, 'config' | 'chain' | 'head' | 'clock' | 'log'> & {
  pool: pg.Pool
  /** Pools of the read replicas, in the order of `READ_DATABASE_URLS`. */
  replicas: readonly pg.Pool[]
  optimizer: OptimizerPool
}

/**
 * @returns closes the one connection over which the state is read: that of requests may be used up when it is of
 * interest
 */
export function exposeState(metrics: Metrics, parts: Parts) {
  const { config, chain, clock, log, pool, replicas, optimizer } = parts
  exposePool(metrics, pool)
  exposeHead(metrics, parts.head)
  exposeReplicas(metrics, replicas)
  exposeOptimizer(metrics, optimizer, config.optimizerThreads)
  const own = createPool(config.databaseUrl, 1, TIMEOUT_MS)
  own.on('error', (err) => log.warn({ err }, 'the connection that reads metrics was lost'))
  exposeLag(metrics, { db: createProjectionDb(own), chain, clock })
  const store = createStore(own)
  const intents = recent(() => countIntents(store, new Date(clock())), clock)
  metrics.gauges(
    'gateway_route_intents',
    'Route intents that have not expired, by state.',
    'state',
    async () => (await intents()) ?? {},
  )
  return () => own.end()
}

/** Without a recent view, the values are absent. */
function exposeHead({ gauge }: Metrics, { latest }: Deps['head']): void {
  const number = (value: bigint | undefined) => (value === undefined ? undefined : Number(value))
  gauge('gateway_latest_block', 'Latest block of the chain, not final.', () => number(latest()?.head.number))
  gauge('gateway_finality_seconds', 'Seconds that a block takes to become final.', () =>
    number(latest()?.finalitySeconds),
  )
  gauge('gateway_unfinalized_events', 'Events that are mined and not final.', () => latest()?.events.length)
}

function exposePool({ gauges, gauge }: Metrics, pool: pg.Pool): void {
  gauges('gateway_pool_connections', 'Open connections of the pool, by state.', 'state', () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
  }))
  gauge('gateway_pool_waiting', 'Requests that wait for a connection of the pool.', () => pool.waitingCount)
}

function exposeReplicas({ gauges }: Metrics, replicas: readonly pg.Pool[]): void {
  const ofEach = (read: (pool: pg.Pool) => number) => () =>
    Object.fromEntries(replicas.map((pool, index) => [`${index + 1}`, read(pool)]))
  gauges(
    'gateway_replica_connections_used',
    'Connections that read, by position of the replica in READ_DATABASE_URLS.',
    'replica',
    ofEach((pool) => pool.totalCount - pool.idleCount),
  )
  gauges(
    'gateway_replica_waiting',
    'Reads that wait for a connection, by position of the replica in READ_DATABASE_URLS.',
    'replica',
    ofEach((pool) => pool.waitingCount),
  )
}

function exposeOptimizer({ gauges, gauge }: Metrics, { pending }: OptimizerPool, threads: number): void {
  gauges('gateway_optimizer_searches', 'Searches for routes, by state.', 'state', () => ({
    running: Math.min(pending(), threads),
    waiting: Math.max(0, pending() - threads),
  }))
  gauge('gateway_optimizer_threads', 'Threads that search for routes.', () => threads)
}

type Ends = Pick<Deps, 'chain' | 'clock'> & { db: Parameters<typeof readSnapshot>[0] }

function exposeLag({ gauge }: Metrics, { db, chain, clock }: Ends): void {
  const through = recent(() => readSnapshot(db, async ({ finalizedThrough }) => finalizedThrough), clock)
  const head = recent(() => pinFinalizedBlock(chain), clock)
  const lag = (of: (projected: FinalizedThrough, final: PinnedBlock) => bigint) => async () => {
    const [projected, final] = await Promise.all([through(), head()])
    return projected && final && Math.max(0, Number(of(projected, final)))
  }
  gauge('gateway_projection_block', 'Finalized block of the projection.', async () =>
    numberOf((await through())?.blockNumber),
  )
  gauge('gateway_finalized_block', 'Finalized block of the chain.', async () =>
    numberOf((await head())?.number),
  )
  gauge(
    'gateway_finalized_block_timestamp_seconds',
    'Unix time of the finalized block of the chain.',
    async () => numberOf((await head())?.timestamp),
  )
  gauge(
    'gateway_projection_lag_blocks',
    'Finalized blocks that are not projected yet.',
    lag(({ blockNumber }, { number }) => number - blockNumber),
  )
  gauge(
    'gateway_projection_lag_seconds',
    'Seconds from the last projected block to the finalized block of the chain.',
    lag((projected, final) => final.timestamp - projected.timestamp),
  )
}

const numberOf = (value: bigint | undefined) => (value === undefined ? undefined : Number(value))
