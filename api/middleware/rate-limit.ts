import type { Context } from 'hono'
import { type Store as LimiterStore, rateLimiter } from 'hono-rate-limiter'
import type { RatePolicy } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { createSharedCounts } from '../store/wallet-rate-limits.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv, Authentication, Limit } from './env.ts'
import { type Count, createMemoryCounts } from './memory-counts.ts'
import type { Step } from './steps.ts'

/**
 * Limits the requests with a good token that come from one client address, so that fresh wallets do not multiply the limit of
 * a wallet. Counted in this process, before the database is read for the request.
 */
export function addressCeiling(deps: Pick<Deps, 'config' | 'clock'>): Step {
  const { config } = deps
  return createLimiter(deps, {
    name: (policy) => `${policy}-address`,
    quota: (policy) => config.rateLimits[policy] * config.rateLimitAddressFactor,
    client: (c) => clientAddress(c, config.trustedProxies),
    isCounted: (c) => walletOf(c.get('authentication')) !== undefined,
    count: createMemoryCounts({ windowMs: config.rateLimitWindowSeconds * 1000, clock: deps.clock }).count,
  })
}

/**
 * Limits requests: per wallet with a valid token, counted over all replicas; per client address without one, counted in this process
 * (interface specification, section 8). A sign-in counts per client address, also with a token. Every answer states the limit and the
 * rest.
 */
export function rateLimit(deps: Pick<Deps, 'config' | 'store' | 'clock'>): Step {
  const { config, store, clock } = deps
  const { rateLimitWindowSeconds: windowSeconds, rateLimits, trustedProxies } = config
  const isOfWallet = (c: Context<AppEnv>) =>
    policyOf(c) !== 'sign-in' && walletOf(c.get('authentication')) !== undefined
  const common = { name: (policy: RatePolicy) => policy, quota: (policy: RatePolicy) => rateLimits[policy] }
  const byWallet = createLimiter(deps, {
    ...common,
    client: (c) => walletOf(c.get('authentication')) ?? clientAddress(c, trustedProxies),
    count: createSharedCounts(store, clock, windowSeconds),
  })
  const byAddress = createLimiter(deps, {
    ...common,
    client: (c) => clientAddress(c, trustedProxies),
    count: createMemoryCounts({ windowMs: windowSeconds * 1000, clock }).count,
  })
  return (c) => (isOfWallet(c) ? byWallet(c) : byAddress(c))
}

type LimiterOptions = {
  name: (policy: RatePolicy) => string
  /** Requests in one window. */
  quota: (policy: RatePolicy) => number
  client: (c: Context<AppEnv>) => string
  /** Default: all requests of routes that have a limit. */
  isCounted?: (c: Context<AppEnv>) => boolean
  count: (key: string) => Count | Promise<Count>
}

function createLimiter(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { name, quota, client, isCounted, count }: LimiterOptions,
): Step {
  const windowSeconds = config.rateLimitWindowSeconds
  const remember = (c: Context<AppEnv>) => {
    const limit = rememberTightest(c, name(policyOf(c)), clock())
    writeTightest(c, windowSeconds)
    return limit
  }
  const limiter = rateLimiter<AppEnv>({
    windowMs: windowSeconds * 1000,
    limit: (c) => quota(policyOf(c)),
    keyGenerator: (c) => `${policyOf(c)} ${client(c)}`,
    store: toLimiterStore(count),
    standardHeaders: false,
    handler: (c) => {
      const limit = remember(c)
      c.get('metrics')?.limited(limit.name)
      throw rateLimited(limit, windowSeconds)
    },
  })
  return (c) => {
    if (c.get('rules').limit === 'none' || isCounted?.(c) === false) return
    return limiter(c, async () => void remember(c))
  }
}

/** The library takes a count back only under its options that skip answers by status, which are off. */
function toLimiterStore(count: LimiterOptions['count']): Omit<LimiterStore, 'init'> {
  return {
    increment: async (key) => {
      const { hits, resetsAt } = await count(key)
      return { totalHits: hits, resetTime: new Date(resetsAt) }
    },
    decrement: () => {},
    resetKey: () => {},
  }
}

/** The key that a request counts for: the wallet of its valid token, else the client address. */
export function callerOf(c: Context<AppEnv>, trustedProxies: number): string {
  return walletOf(c.get('authentication')) ?? clientAddress(c, trustedProxies)
}

function walletOf(authentication: Authentication): string | undefined {
  return 'session' in authentication ? authentication.session.wallet : undefined
}

function policyOf(c: Context<AppEnv>): RatePolicy {
  const { limit } = c.get('rules')
  return limit === 'none' ? 'default' : limit
}

/** Keeps the tightest limit of a request for its headers; one that is exceeded is the tightest. @param now milliseconds */
function rememberTightest(c: Context<AppEnv>, name: string, now: number): Limit {
  const { limit: quota, used, remaining, resetTime } = c.get('rateLimit')
  const left = Math.ceil(((resetTime?.getTime() ?? now) - now) / 1000)
  const limit = { name, quota, remaining, secondsLeft: Math.max(left, 1) }
  const other = c.get('limit')
  if (other === undefined || used > quota || remaining <= other.remaining) c.set('limit', limit)
  return limit
}

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-10: structured fields (RFC 9651) with q = quota, w = window,
 * r = remaining, t = seconds until it is whole again.
 */
function writeTightest(c: Context<AppEnv>, windowSeconds: number): void {
  const limit = c.get('limit')
  if (!limit) return
  const { name, quota, remaining, secondsLeft } = limit
  const headers = c.get('headers')
  headers['RateLimit-Policy'] = `"${name}";q=${quota};w=${windowSeconds}`
  headers.RateLimit = `"${name}";r=${remaining};t=${secondsLeft}`
}

function rateLimited({ quota, secondsLeft }: Limit, windowSeconds: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `More than ${quota} such requests in ${windowSeconds} seconds. Wait ${secondsLeft} seconds; RateLimit states the rest.`,
    { retryAfter: secondsLeft },
  )
}
