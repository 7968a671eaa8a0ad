/** The environment of the gateway: every setting with its format, unit and default. */
import { z } from 'zod'
import { connectionEnvironment } from '../../nodes/unsafe-connections.ts'
import { isOrigin } from '../domain/origin.ts'
import { operationsEnvironment } from './operations.ts'
import {
  chainId,
  commaList,
  corsOrigins,
  databaseUrl,
  databaseUrls,
  oneOf,
  pageAddress,
  rpcUrls,
  secret,
  wholeNumber,
} from './values.ts'

export const nodeEnvs = ['development', 'test', 'production'] as const
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const NO_SITES =
  'must list the origins of the sites that wallets sign in at, like https://app.example (no path), separated by commas'

/** Issuer or audience of tokens. Bounded, as the length of a token is (`TOKEN_LENGTH`). */
const tokenParty = z.string().max(128, 'must have at most 128 characters')

/** The service's environment. Messages follow the variable's name; values stay out of them, they may hold passwords. */
export const environment = z.object({
  /** Unset means production: a forgotten variable must not open what only developers should see. */
  NODE_ENV: oneOf(nodeEnvs).default('production'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  PORT: wholeNumber(0, 65_535).default(3000),
  DATABASE_URL: databaseUrl,
  /** Streaming replicas of that database. Reads are answered by them in turn; sign-in, intents and the watch of the projection stay at `DATABASE_URL`. */
  READ_DATABASE_URLS: databaseUrls,
  /** Connections to each database. */
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
  RPC_URLS: rpcUrls,
  /** Milliseconds one node may take for one request. */
  RPC_TIMEOUT_MS: wholeNumber(100, 600_000).default(5000),
  CHAIN_ID: chainId,
  /** Folder of `<chainId>.json` manifests, when not the ones that ship with the service. */
  DEPLOYMENTS_DIR: z.string().optional(),
  CORS_ORIGINS: corsOrigins,
  /** The first signs tokens and nonces, all verify: put a new one in front, remove the old one an hour later. */
  AUTH_SECRETS: z.string().default('').transform(commaList).pipe(z.array(secret)),
  /** The sites that wallets sign in at: sign-in messages for any other site are refused. In development, sites of this machine too. */
  SITE_ORIGINS: z
    .string()
    .default('')
    .transform(commaList)
    .refine((origins) => origins.every(isOrigin), NO_SITES),
  /** Whether a sign-in can ask for its session as a cookie, for server-rendered pages. */
  SESSION_COOKIES: oneOf(['on', 'off']).default('off'),
  TOKEN_ISSUER: tokenParty.default('claim-financing-gateway'),
  TOKEN_AUDIENCE: tokenParty.default('claim-financing-gateway'),
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
  /** Where the page at `/` links to for the documentation. */
  DOCUMENTATION_URL: pageAddress.optional(),
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
  /**
   * Milliseconds from SIGTERM until the gateway stops listening. Meanwhile `/health/ready` is a 503, so that balancers send requests to other
   * gateways. The default exceeds three probes at intervals of 3 s. With 0, idle connections are closed at once too.
   */
  DRAIN_LEAD_MS: wholeNumber(0, 600_000).default(10_000),
  /** Milliseconds that pending requests have to finish after that. */
  DRAIN_TIMEOUT_MS: wholeNumber(0, 600_000).default(10_000),
  ...operationsEnvironment,
  ...connectionEnvironment,
})

export type Environment = z.output<typeof environment>
