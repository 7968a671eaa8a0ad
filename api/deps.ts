import type { Logger } from 'pino'
import type { Documents } from '../deployments/documents.ts'
import type { Labels } from '../deployments/labels.ts'
import type { Manifest } from '../deployments/manifest.ts'
import type { Chain } from './chain/client.ts'
import type { Config } from './config/config.ts'
import type { HeadWatch } from './head/watch-head.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { OptimizeInput, RouteResult } from './optimizer/index.ts'
import type { Control } from './projection/session/control.ts'
import type { PooledDb } from './projection/session/database.ts'
import type { ShortReads } from './projection/session/pipeline.ts'
import type { ReadServer } from './projection/session/read-servers.ts'
import type { ProjectionWatch } from './projection/session/watch.ts'
import type { Store } from './store/database.ts'
import type { Tracing } from './tracing/tracing.ts'

/** Milliseconds since 1970. */
export type Clock = () => number

/** Cryptographically random bytes. */
export type Random = (bytes: number) => Uint8Array

/** Finds the best route outside of the event loop, and ends when the signal aborts. */
export type Optimize = (input: OptimizeInput, signal: AbortSignal) => Promise<RouteResult>

/** All dependencies of the gateway, as plain values that are passed as parameters. */
export type Deps = {
  config: Config
  db: PooledDb
  /** Read replicas, which answer reads in turn. If the list is empty, `db` answers them. */
  replicas: readonly ReadServer[]
  /** Short reads of `db` over connections of their own. */
  pipeline: ShortReads
  /** Connections beside those of `db`. */
  control: Control
  /** Notifies reads that wait for the projection to advance. */
  watch: ProjectionWatch
  /** Store of the gateway's own schema. */
  store: Store
  chain: Chain
  /** Watches the latest block of the chain. */
  head: HeadWatch
  optimize: Optimize
  deployment: Manifest
  labels: Labels
  documents: Documents
  clock: Clock
  random: Random
  log: Logger
  /** Metrics; undefined if they are off. */
  metrics?: Metrics | undefined
  /** Traces; undefined without an endpoint. */
  tracing?: Tracing | undefined
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal
}
