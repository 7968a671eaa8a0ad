import type { Address } from 'viem'
import type { Connection, ConnectionSettings } from '../../nodes/unsafe-connections.ts'
import { type GatewaySettings, gatewaySettings } from '../../settings/gateway/index.ts'
import { readSettings } from '../../settings/read.ts'
import type { Env } from '../../settings/setting.ts'
import type { Origins } from '../domain/origin.ts'
import { refusalsOf } from './refusals.ts'

/** Rate limit against which a request counts. */
export type RatePolicy = 'default' | 'prepare' | 'quote' | 'sign-in'

const settings = gatewaySettings.superRefine((set, context) => {
  for (const { variable, message } of refusalsOf(set)) {
    context.addIssue({ code: 'custom', path: [variable], message })
  }
})

function connectionsOf(set: GatewaySettings): Connection[] {
  const collectors = set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? [] : [set.OTEL_EXPORTER_OTLP_ENDPOINT]
  const urls = {
    DATABASE_URL: [set.DATABASE_URL],
    READ_DATABASE_URLS: set.READ_DATABASE_URLS,
    RPC_URLS: set.RPC_URLS,
    OTEL_EXPORTER_OTLP_ENDPOINT: collectors,
  }
  return Object.entries(urls).flatMap(([setting, list]) => list.map((url) => ({ setting, url })))
}

export type Config = {
  nodeEnv: GatewaySettings['NODE_ENV']
  logLevel: GatewaySettings['LOG_LEVEL']
  host: string
  port: number
  databaseUrl: string
  readDatabaseUrls: readonly string[]
  /** Connections of the process. */
  connections: readonly Connection[]
  connectionSettings: ConnectionSettings
  databasePoolSize: number
  databaseTimeoutMs: number
  readTimeoutMs: number
  readsPerClient: number
  readQueuePerClient: number
  readQueueMax: number
  rpcUrls: readonly string[]
  rpcTimeoutMs: number
  headPollMs: number
  chainId: number
  deploymentsDir: string | undefined
  /** Origins of pages that may call the API; `*` stands for all. */
  corsOrigins: Origins
  /** Secrets of tokens and nonces; empty only outside production. */
  authSecrets: readonly string[]
  /** Sites at which wallets sign in. */
  siteOrigins: Origins
  sessionCookies: boolean
  tokenIssuer: string
  tokenAudience: string
  trustedProxies: number
  rateLimitWindowSeconds: number
  rateLimits: Readonly<Record<RatePolicy, number>>
  rateLimitCost: number
  rateLimitAddressFactor: number
  optimizerThreads: number
  optimizerQueue: number
  planningDelaySeconds: number
  readyBlocksBehindMax: number
  readySecondsBehindMax: number
  readyChainTimeoutMs: number
  unreadyOnDifferences: GatewaySettings['UNREADY_ON_DIFFERENCES']
  auditStaleSeconds: number
  minBlockWaitMs: number
  playground: boolean
  /** Only of a development system. */
  demoWallets: DemoWallets | undefined
  /** Which documents of GraphQL are answered. */
  documents: GatewaySettings['DOCUMENTS']
  documentsFile: string | undefined
  documentationUrl: string | undefined
  explorerFolder: string | undefined
  subscriptionsPerClient: number
  subscriptionsMax: number
  exportsPerClient: number
  exportsMax: number
  exportTimeoutMs: number
  exportIdleTimeoutMs: number
  keptAnswersSize: number
  bodyLimitBytes: number
  requestTimeoutMs: number
  drainLeadMs: number
  drainTimeoutMs: number
  metricsHost: string
  metricsPort: number | undefined
  metricsOperations: readonly string[]
  tracesEndpoint: string | undefined
  tracesRatio: number
}

/** Wallets as which GraphiQL and the explorer sign in, by a node whose accounts have public keys. */
export type DemoWallets = {
  /** Origin of the node that signs. */
  readonly signer: string
  readonly wallets: readonly Address[]
}

function demoWalletsOf({ PLAYGROUND_SIGNER: signer, PLAYGROUND_WALLETS: wallets }: GatewaySettings) {
  return signer !== undefined && wallets.length > 0 ? { signer, wallets } : undefined
}

/** Reads the settings. @throws Error that names every invalid variable without its value */
export function parseConfig(env: Env): Config {
  const set = readSettings(settings, env)
  const local = set.NODE_ENV === 'development'
  return {
    nodeEnv: set.NODE_ENV,
    logLevel: set.LOG_LEVEL,
    host: set.HOST,
    port: set.PORT,
    databaseUrl: set.DATABASE_URL,
    readDatabaseUrls: set.READ_DATABASE_URLS,
    connections: connectionsOf(set),
    connectionSettings: {
      ALLOW_UNENCRYPTED: set.ALLOW_UNENCRYPTED,
      NODE_TLS_REJECT_UNAUTHORIZED: set.NODE_TLS_REJECT_UNAUTHORIZED,
    },
    databasePoolSize: set.DATABASE_POOL_SIZE,
    databaseTimeoutMs: set.DATABASE_TIMEOUT_MS,
    readTimeoutMs: set.READ_TIMEOUT_MS,
    readsPerClient: set.READS_PER_CLIENT,
    readQueuePerClient: set.READ_QUEUE_PER_CLIENT,
    readQueueMax: set.READ_QUEUE_MAX,
    rpcUrls: set.RPC_URLS,
    rpcTimeoutMs: set.RPC_TIMEOUT_MS,
    headPollMs: set.HEAD_POLL_MS,
    chainId: set.CHAIN_ID,
    deploymentsDir: set.DEPLOYMENTS_DIR,
    corsOrigins: { listed: set.CORS_ORIGINS, local },
    authSecrets: set.AUTH_SECRETS,
    siteOrigins: { listed: set.SITE_ORIGINS, local },
    sessionCookies: set.SESSION_COOKIES === 'on',
    tokenIssuer: set.TOKEN_ISSUER,
    tokenAudience: set.TOKEN_AUDIENCE,
    trustedProxies: set.TRUSTED_PROXIES,
    rateLimitWindowSeconds: set.RATE_LIMIT_WINDOW_SECONDS,
    rateLimits: {
      default: set.RATE_LIMIT_DEFAULT,
      prepare: set.RATE_LIMIT_PREPARE,
      quote: set.RATE_LIMIT_QUOTE,
      'sign-in': set.RATE_LIMIT_SIGN_IN,
    },
    rateLimitCost: set.RATE_LIMIT_COST,
    rateLimitAddressFactor: set.RATE_LIMIT_ADDRESS_FACTOR,
    optimizerThreads: set.OPTIMIZER_THREADS,
    optimizerQueue: set.OPTIMIZER_QUEUE,
    planningDelaySeconds: set.PLANNING_DELAY_SECONDS,
    readyBlocksBehindMax: set.READY_BLOCKS_BEHIND_MAX,
    readySecondsBehindMax: set.READY_SECONDS_BEHIND_MAX,
    readyChainTimeoutMs: set.READY_CHAIN_TIMEOUT_MS,
    unreadyOnDifferences: set.UNREADY_ON_DIFFERENCES,
    auditStaleSeconds: set.AUDIT_STALE_SECONDS,
    minBlockWaitMs: set.MIN_BLOCK_WAIT_MS,
    playground: set.PLAYGROUND === 'on',
    demoWallets: demoWalletsOf(set),
    documents: set.DOCUMENTS,
    documentsFile: set.DOCUMENTS_FILE,
    documentationUrl: set.DOCUMENTATION_URL,
    explorerFolder: set.EXPLORER_FOLDER,
    subscriptionsPerClient: set.SUBSCRIPTIONS_PER_CLIENT,
    subscriptionsMax: set.SUBSCRIPTIONS_MAX,
    exportsPerClient: set.EXPORTS_PER_CLIENT,
    exportsMax: set.EXPORTS_MAX,
    exportTimeoutMs: set.EXPORT_TIMEOUT_MS,
    exportIdleTimeoutMs: set.EXPORT_IDLE_TIMEOUT_MS,
    keptAnswersSize: set.KEPT_ANSWERS_SIZE,
    bodyLimitBytes: set.BODY_LIMIT_BYTES,
    requestTimeoutMs: set.REQUEST_TIMEOUT_MS,
    drainLeadMs: set.DRAIN_LEAD_MS,
    drainTimeoutMs: set.DRAIN_TIMEOUT_MS,
    metricsHost: set.GATEWAY_METRICS_HOST,
    metricsPort: set.GATEWAY_METRICS_PORT,
    metricsOperations: set.METRICS_OPERATIONS,
    tracesEndpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracesRatio: set.OTEL_TRACES_SAMPLER_ARG,
  }
}
