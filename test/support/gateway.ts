/** A gateway over an empty projection and a store of its own: all that signing in needs. */
import { randomBytes } from 'node:crypto'
import { type DestinationStream, pino } from 'pino'
import { createApp } from '../../api/app.ts'
import { createChain } from '../../api/chain/client.ts'
import { parseConfig } from '../../api/config/config.ts'
import type { Deps } from '../../api/deps.ts'
import { NO_HEAD } from '../../api/head/watch-head.ts'
import { createLog } from '../../api/http/log.ts'
import { optimizeRoute } from '../../api/optimizer/index.ts'
import { connectControl } from '../../api/projection/session/control.ts'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { loadDocuments, NO_DOCUMENTS } from '../../deployments/documents.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { checkAnswers } from './described-answers.ts'
import { TEST_LIMITS } from './limits.ts'
import { TEST_SITE } from './sign-in.ts'
import type { createTestStore } from './store.ts'

type Options = {
  /** Variables of the environment, over those of the test. */
  env?: Record<string, string>
  rpcUrl?: string
  clock?: () => number
  log?: DestinationStream
  /** Finds routes; on this very thread without it. */
  optimize?: Deps['optimize']
  /** Where the projection is, when not in the store's database, which has none. */
  db?: Deps['db']
  /** Reads it over one connection, likewise. */
  pipeline?: Deps['pipeline']
  /** Read replicas; none by default. */
  replicas?: Deps['replicas']
  /** Where the gateway's own connections to it lead, likewise. */
  projectionUrl?: string
  /** By default, nothing is measured. */
  metrics?: Deps['metrics']
  /** Manifest; by default the one of the devnet. */
  deployment?: Deps['deployment']
  /** Watches the head of the chain; without it, nothing does. */
  head?: Deps['head']
  /** Watches that projection, likewise. */
  watch?: Deps['watch']
}

export type TestStore = Awaited<ReturnType<typeof createTestStore>>

const NOWHERE = 'http://127.0.0.1:1'

/** Above what any test needs on a slow machine: only tests of the limits set others. */
const UNLIMITED = {
  // A test that wants to meet one does so within this window, however busy the machine.
  RATE_LIMIT_WINDOW_SECONDS: '3600',
  RATE_LIMIT_DEFAULT: '1000000',
  RATE_LIMIT_PREPARE: '1000000',
  RATE_LIMIT_QUOTE: '1000000',
  RATE_LIMIT_COST: '1000000000',
  RATE_LIMIT_SIGN_IN: '1000000',
  READ_TIMEOUT_MS: '600000',
  DATABASE_TIMEOUT_MS: '600000',
  READ_QUEUE_PER_CLIENT: '100000',
  READ_QUEUE_MAX: '100000',
}

export const TEST_SECRET = 'a secret of the tests that has well over 32 bytes'

export function createGateway(store: TestStore, options: Options = {}) {
  return createGatewayWithDeps(store, options).app
}

/**
 * A gateway over values that no contract of the protocol emits. Its answers are not checked against the API's
 * description, which states the protocol's limits.
 */
export function createUncheckedGateway(store: TestStore, options: Options = {}) {
  return createApp(depsOf(store, options))
}

/** A gateway and its dependencies. */
export function createGatewayWithDeps(store: TestStore, options: Options = {}) {
  const deps = depsOf(store, options)
  return { app: checkAnswers(createApp(deps)), deps }
}

function depsOf({ store, pool, url }: TestStore, options: Options): Deps {
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: options.log ? 'trace' : 'silent',
    DATABASE_URL: url,
    RPC_URLS: options.rpcUrl ?? NOWHERE,
    CHAIN_ID: '31337',
    AUTH_SECRETS: TEST_SECRET,
    SITE_ORIGINS: TEST_SITE,
    ...TEST_LIMITS,
    ...UNLIMITED,
    ...options.env,
  })
  const log = options.log ? createLog(config, options.log) : pino({ level: 'silent' })
  const db = options.db ?? createProjectionDb(pool)
  return {
    config,
    db,
    pipeline:
      options.pipeline ?? connectPipelines(db.pool.options.connectionString ?? url, config.databaseTimeoutMs),
    replicas: options.replicas ?? [],
    control: connectControl(options.projectionUrl ?? url, config.databaseTimeoutMs, log),
    watch: options.watch ?? watchProjection(url, log),
    store,
    head: options.head ?? NO_HEAD,
    chain: createChain({ urls: config.rpcUrls, timeout: config.rpcTimeoutMs }),
    optimize: options.optimize ?? (async (input) => optimizeRoute(input)),
    deployment: options.deployment ?? loadManifest(31_337),
    labels: loadLabels(31_337),
    documents: config.documentsFile ? loadDocuments(config.documentsFile) : NO_DOCUMENTS,
    clock: options.clock ?? Date.now,
    random: randomBytes,
    log,
    metrics: options.metrics,
    stopping: new AbortController().signal,
  }
}
