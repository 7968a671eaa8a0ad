import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Store as LimiterStore, type RateLimitInfo, rateLimiter } from 'hono-rate-limiter'
import type { RatePolicy } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { createSharedCounts } from '../store/wallet-rate-limits.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv, Authentication } from './env.ts'
import { type Count, createMemoryCounts } from './memory-counts.ts'

/** The limit of a request, and the rest of it. */
type Limit = {
  /** As `RateLimit-Policy` calls it. */
  name: string
  quota: number
  remaining: number
  /** Until the window ends; at least 1. */
  secondsLeft: number
}

type LimitedEnv = { Variables: AppEnv['Variables'] & { limit?: Limit; rateLimit: RateLimitInfo } }

/**
 * Limits the requests with a good token that come from one client address, so that fresh wallets do not multiply the limit of
 * a wallet. Counted in this process, before the database is read for the request.
 */
export function addressCeiling(deps: Pick<Deps, 'config' | 'clock'>): MiddlewareHandler<LimitedEnv> {
  const { config } = deps
  return createLimiter(deps, {
    name: (policy) => `${policy}-address`,
    quota: (policy) => config.rateLimits[policy] * config.rateLimitAddressFactor,
    client: (c) => clientAddress(c, config.trustedProxies),
    skip: (c) => isUnlimited(c) || walletOf(c.get('authentication')) === undefined,
    count: createMemoryCounts({ windowMs: config.rateLimitWindowSeconds * 1000, clock: deps.clock }).count,
  })
}

/**
 * Limits requests: per wallet with a valid token, counted over all replicas; per client address without one, counted in this process
 * (interface specification, section 8). A sign-in counts per client address, also with a token. Every answer states the limit and the
 * rest.
 */
export function rateLimit(deps: Pick<Deps, 'config' | 'store' | 'clock'>): MiddlewareHandler<LimitedEnv> {
  const { config, store, clock } = deps
  const { rateLimitWindowSeconds: windowSeconds, rateLimits, trustedProxies } = config
  const isOfWallet = (c: Context<LimitedEnv>) =>
    policyOf(c) !== 'sign-in' && walletOf(c.get('authentication')) !== undefined
  const common = { name: (policy: RatePolicy) => policy, quota: (policy: RatePolicy) => rateLimits[policy] }
  const byWallet = createLimiter(deps, {
    ...common,
    client: (c) => walletOf(c.get('authentication')) ?? clientAddress(c, trustedProxies),
    skip: (c) => isUnlimited(c) || !isOfWallet(c),
    count: createSharedCounts(store, clock, windowSeconds),
  })
  const byAddress = createLimiter(deps, {
    ...common,
    client: (c) => clientAddress(c, trustedProxies),
    skip: (c) => isUnlimited(c) || isOfWallet(c),
    count: createMemoryCounts({ windowMs: windowSeconds * 1000, clock }).count,
  })
  return createMiddleware<LimitedEnv>(async (c, next) => {
    await byWallet(c, async () => void (await byAddress(c, next)))
    // Set last, so that an answer which is not the framework's own carries them too.
    writeLimit(c, windowSeconds)
  })
}

type LimiterOptions = {
  name: (policy: RatePolicy) => string
  /** Requests in one window. */
  quota: (policy: RatePolicy) => number
  client: (c: Context<LimitedEnv>) => string
  skip: (c: Context<LimitedEnv>) => boolean
  count: (key: string) => Count | Promise<Count>
}

function createLimiter(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { name, quota, client, skip, count }: LimiterOptions,
): MiddlewareHandler<LimitedEnv> {
  const windowSeconds = config.rateLimitWindowSeconds
  const remember = (c: Context<LimitedEnv>) => rememberTightest(c, name(policyOf(c)), clock())
  const limiter = rateLimiter<LimitedEnv>({
    windowMs: windowSeconds * 1000,
    limit: (c) => quota(policyOf(c)),
    keyGenerator: (c) => `${policyOf(c)} ${client(c)}`,
    skip,
    store: toLimiterStore(count),
    standardHeaders: false,
    handler: (c) => {
      const limit = remember(c)
      c.get('metrics')?.limited(limit.name)
      writeLimit(c, windowSeconds)
      throw rateLimited(limit, windowSeconds)
    },
  })
  return async (c, next) => {
    const isSkipped = skip(c)
    await limiter(c, async () => {
      if (!isSkipped) remember(c)
      await next()
    })
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

function isUnlimited(c: Context<LimitedEnv>): boolean {
  return c.get('rules').limit === 'none'
}

function policyOf(c: Context<LimitedEnv>): RatePolicy {
  const { limit } = c.get('rules')
  return limit === 'none' ? 'default' : limit
}

/** Keeps the tightest limit of a request for its headers; one that is exceeded is the tightest. @param now milliseconds */
function rememberTightest(c: Context<LimitedEnv>, name: string, now: number): Limit {
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
function writeLimit(c: Context<LimitedEnv>, windowSeconds: number): void {
  const limit = c.get('limit')
  if (!limit) return
  const { name, quota, remaining, secondsLeft } = limit
  const { headers } = c.res
  headers.set('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  headers.set('RateLimit', `"${name}";r=${remaining};t=${secondsLeft}`)
}

function rateLimited({ quota, secondsLeft }: Limit, windowSeconds: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `More than ${quota} such requests in ${windowSeconds} seconds. Wait ${secondsLeft} seconds; RateLimit states the rest.`,
    { retryAfter: secondsLeft },
  )
}
