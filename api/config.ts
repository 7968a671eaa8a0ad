import { z } from 'zod'
import {
  commaList,
  hasDecodableCredentials,
  isInsecureOrigin,
  isOrigin,
  oneOf,
  rpcUrl,
  SECRET_BYTES_MIN,
  secret,
  urlOf,
  wholeNumber,
} from './config-values.ts'

const nodeEnvs = ['development', 'test', 'production'] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The service's environment. Messages follow the variable's name; values stay out of them, they may hold passwords. */
const environment = z.object({
  /** Unset means production: a forgotten variable must not open what only developers should see. */
  NODE_ENV: oneOf(nodeEnvs).default('production'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  PORT: wholeNumber(0, 65_535).default(3000),
  DATABASE_URL: urlOf(
    ['postgres:', 'postgresql:'],
    'must be a postgres:// address of the database the indexer writes to',
  ).refine(
    hasDecodableCredentials,
    'must have its user and password in percent-encoding, with %25 for each %',
  ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10),
  /** Milliseconds to wait for room among the connections, for a connection, and for one statement. */
  DATABASE_TIMEOUT_MS: wholeNumber(100, 600_000).default(5000),
  /** Milliseconds that all reads of one request, or of one event of a subscription, may take in the database together. */
  READ_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  /** Connections that one wallet or client address may read over at the same time; one is left to others. */
  READS_PER_CLIENT: wholeNumber(1, 1000).default(3),
  /** Requests that may wait for a connection to read over: of one client address, and in this process. */
  READ_QUEUE_PER_CLIENT: wholeNumber(0, 100_000).default(50),
  READ_QUEUE_MAX: wholeNumber(0, 100_000).default(500),
  RPC_URLS: z
    .string({ error: 'must list at least one node' })
    .transform(commaList)
    .pipe(z.array(rpcUrl).min(1, 'must list at least one node')),
  /** Milliseconds one node may take for one request. */
  RPC_TIMEOUT_MS: wholeNumber(100, 600_000).default(5000),
  CHAIN_ID: z
    .string({ error: 'must be the number of the chain that is served' })
    .pipe(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  /** Folder of `<chainId>.json` manifests, when not the ones that ship with the service. */
  DEPLOYMENTS_DIR: z.string().optional(),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(commaList)
    .refine(
      (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
      'must list origins like https://app.example (no path), separated by commas, or be *',
    ),
  /** The first signs tokens and nonces, all verify: put a new one in front, remove the old one an hour later. */
  AUTH_SECRETS: z.string().default('').transform(commaList).pipe(z.array(secret)),
  /** Where wallets sign in: sign-in messages for any other site are refused. */
  SITE_ORIGIN: z
    .string()
    .refine(
      isOrigin,
      'must be the origin of the site that wallets sign in at, like https://app.example (no path)',
    )
    .optional(),
  TOKEN_ISSUER: z.string().default('claim-financing-gateway'),
  TOKEN_AUDIENCE: z.string().default('claim-financing-gateway'),
  /** Proxies in front that append to X-Forwarded-For; 0 takes the connection's own address. */
  TRUSTED_PROXIES: wholeNumber(0, 16).default(0),
  RATE_LIMIT_WINDOW_SECONDS: wholeNumber(1, 86_400).default(60),
  /** Requests in a window, by wallet with a token and by client address without one. */
  RATE_LIMIT_DEFAULT: wholeNumber(1, 1_000_000_000).default(120),
  /**
   * Times a wallet's limit: what one client address may send with tokens, whatever the number of wallets. Those behind one address
   * (an office, a mobile carrier) share it.
   */
  RATE_LIMIT_ADDRESS_FACTOR: wholeNumber(1, 100_000).default(5),
  /** Those that optimize a route or prepare something to sign. */
  RATE_LIMIT_PREPARE: wholeNumber(1, 1_000_000_000).default(30),
  /** Previews of quotes: public, and each reads the chain. */
  RATE_LIMIT_QUOTE: wholeNumber(1, 1_000_000_000).default(60),
  /** Those for a nonce or a token. */
  RATE_LIMIT_SIGN_IN: wholeNumber(1, 1_000_000_000).default(20),
  /** Threads that search for routes, and the requests that may wait for one. */
  OPTIMIZER_THREADS: wholeNumber(1, 64).default(2),
  OPTIMIZER_QUEUE: wholeNumber(0, 10_000).default(32),
  /**
   * Seconds that a finalized block may be behind the clock when a route planned on it is stored; the same on all replicas. Routes are
   * planned to hold for that much longer, so claims due within it are left out. On Ethereum a finalized block is 64 to 96 slots of 12 s
   * behind the head (two to three epochs of 32 slots; consensus specification, Casper FFG); the default leaves 14 slots for late
   * blocks, differing clocks and planning.
   */
  PLANNING_DELAY_SECONDS: wholeNumber(1, 86_400).default(110 * 12),
  /**
   * Blocks and seconds that the projection may be behind the finalized block while the gateway is ready. Ethereum finalizes 32 blocks
   * every 384 s, so the projection is that far behind at each finalization. The defaults are three finalizations.
   */
  READY_BLOCKS_BEHIND_MAX: wholeNumber(0, 1_000_000_000).default(96),
  READY_SECONDS_BEHIND_MAX: wholeNumber(0, 1_000_000_000).default(1200),
  /** Milliseconds that a check of readiness waits for the chain. Reads do not need the chain, so a timeout does not make the gateway unready. */
  READY_CHAIN_TIMEOUT_MS: wholeNumber(1, 600_000).default(2000),
  /** Differences of the auditor that make readiness a 503: proven missing events, any, or none. */
  UNREADY_ON_DIFFERENCES: oneOf(['missing-logs', 'any', 'none']).default('missing-logs'),
  /** Seconds since its last completed round after which the auditor counts as stopped. */
  AUDIT_STALE_SECONDS: wholeNumber(1, 1_000_000_000).default(600),
  /** Milliseconds that a read waits for the block of its X-Min-Block; 0 answers at once. */
  MIN_BLOCK_WAIT_MS: wholeNumber(0, 60_000).default(5000),
  /** Whether a browser that opens the GraphQL endpoint gets GraphiQL, in production too. */
  PLAYGROUND: oneOf(['on', 'off']).default('on'),
  /** GraphQL subscriptions open at the same time: of one wallet or client address, and of this process. */
  SUBSCRIPTIONS_PER_CLIENT: wholeNumber(0, 1_000_000).default(20),
  SUBSCRIPTIONS_MAX: wholeNumber(0, 1_000_000).default(1000),
  /**
   * Maximum number of concurrent exports: of one wallet or client address, and of this process, at most half of the connections
   * for reads. Callers without a token have at most half of those.
   */
  EXPORTS_PER_CLIENT: wholeNumber(0, 1000).default(2),
  EXPORTS_MAX: wholeNumber(0, 1000).default(4),
  /** Milliseconds that an export may take, from its first row to its last. */
  EXPORT_TIMEOUT_MS: wholeNumber(1000, 86_400_000).default(600_000),
  /** Milliseconds after which an export ends whose client takes no data. */
  EXPORT_IDLE_TIMEOUT_MS: wholeNumber(1000, 86_400_000).default(15_000),
  /** Characters of GraphQL requests and answers that are kept until the projection changes; 0 keeps none. */
  KEPT_ANSWERS_SIZE: wholeNumber(0, 1_000_000_000).default(16_777_216),
  BODY_LIMIT_BYTES: wholeNumber(1024, 10_485_760).default(102_400),
  /** Milliseconds a client may take to send a request. */
  REQUEST_TIMEOUT_MS: wholeNumber(1000, 600_000).default(30_000),
  /** Milliseconds that pending requests have to finish after SIGTERM. */
  DRAIN_TIMEOUT_MS: wholeNumber(0, 600_000).default(10_000),
})

/** Which limit a request counts against. */
export type RatePolicy = 'default' | 'prepare' | 'quote' | 'sign-in'

/** Outside production the gateway is often its own site. */
const DEVELOPMENT_SITE = 'http://localhost:3000'

const settings = environment.superRefine((set, context) => {
  if (set.NODE_ENV !== 'production') return
  const fault = (variable: string, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message })
  if (set.AUTH_SECRETS.length === 0) {
    fault(
      'AUTH_SECRETS',
      `must be set in production: ${SECRET_BYTES_MIN} random bytes or more (openssl rand -base64 32)`,
    )
  }
  if (set.SITE_ORIGIN === undefined) {
    fault('SITE_ORIGIN', 'must be set in production: the origin of the site that wallets sign in at')
  } else if (isInsecureOrigin(set.SITE_ORIGIN)) {
    fault(
      'SITE_ORIGIN',
      'must be https:// in production; http:// is accepted for localhost, 127.0.0.1 and [::1] only',
    )
  }
})

export type Config = {
  nodeEnv: (typeof nodeEnvs)[number]
  logLevel: (typeof logLevels)[number]
  host: string
  port: number
  databaseUrl: string
  databasePoolSize: number
  databaseTimeoutMs: number
  readTimeoutMs: number
  readsPerClient: number
  readQueuePerClient: number
  readQueueMax: number
  rpcUrls: readonly string[]
  rpcTimeoutMs: number
  chainId: number
  deploymentsDir: string | undefined
  corsOrigins: readonly string[]
  /** Empty only outside production. */
  authSecrets: readonly string[]
  siteOrigin: string
  tokenIssuer: string
  tokenAudience: string
  trustedProxies: number
  rateLimitWindowSeconds: number
  rateLimits: Readonly<Record<RatePolicy, number>>
  rateLimitAddressFactor: number
  optimizerThreads: number
  optimizerQueue: number
  planningDelaySeconds: number
  readyBlocksBehindMax: number
  readySecondsBehindMax: number
  readyChainTimeoutMs: number
  unreadyOnDifferences: 'missing-logs' | 'any' | 'none'
  auditStaleSeconds: number
  minBlockWaitMs: number
  playground: boolean
  subscriptionsPerClient: number
  subscriptionsMax: number
  exportsPerClient: number
  exportsMax: number
  exportTimeoutMs: number
  exportIdleTimeoutMs: number
  keptAnswersSize: number
  bodyLimitBytes: number
  requestTimeoutMs: number
  drainTimeoutMs: number
}

/** Reads the settings. @throws Error that names every invalid variable, never its value */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const result = settings.safeParse(withoutBlanks(env))
  if (!result.success) throw new Error(faults(result.error))
  const set = result.data
  return {
    nodeEnv: set.NODE_ENV,
    logLevel: set.LOG_LEVEL,
    host: set.HOST,
    port: set.PORT,
    databaseUrl: set.DATABASE_URL,
    databasePoolSize: set.DATABASE_POOL_SIZE,
    databaseTimeoutMs: set.DATABASE_TIMEOUT_MS,
    readTimeoutMs: set.READ_TIMEOUT_MS,
    readsPerClient: set.READS_PER_CLIENT,
    readQueuePerClient: set.READ_QUEUE_PER_CLIENT,
    readQueueMax: set.READ_QUEUE_MAX,
    rpcUrls: set.RPC_URLS,
    rpcTimeoutMs: set.RPC_TIMEOUT_MS,
    chainId: set.CHAIN_ID,
    deploymentsDir: set.DEPLOYMENTS_DIR,
    corsOrigins: set.CORS_ORIGINS,
    authSecrets: set.AUTH_SECRETS,
    siteOrigin: set.SITE_ORIGIN ?? DEVELOPMENT_SITE,
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
    subscriptionsPerClient: set.SUBSCRIPTIONS_PER_CLIENT,
    subscriptionsMax: set.SUBSCRIPTIONS_MAX,
    exportsPerClient: set.EXPORTS_PER_CLIENT,
    exportsMax: set.EXPORTS_MAX,
    exportTimeoutMs: set.EXPORT_TIMEOUT_MS,
    exportIdleTimeoutMs: set.EXPORT_IDLE_TIMEOUT_MS,
    keptAnswersSize: set.KEPT_ANSWERS_SIZE,
    bodyLimitBytes: set.BODY_LIMIT_BYTES,
    requestTimeoutMs: set.REQUEST_TIMEOUT_MS,
    drainTimeoutMs: set.DRAIN_TIMEOUT_MS,
  }
}

/** `NAME=` in an env file is the same as no line. */
function withoutBlanks(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
}

function faults(error: z.ZodError): string {
  const byVariable = new Map(error.issues.map((issue) => [String(issue.path[0]), issue.message]))
  return `${[...byVariable].map(([variable, message]) => `${variable} ${message}`).join('; ')}.`
}
