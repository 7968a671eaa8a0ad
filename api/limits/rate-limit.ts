import type { Context } from 'hono'
import { type Store as LimiterStore, type RateLimitInfo, rateLimiter } from 'hono-rate-limiter'
import type { Config, RatePolicy } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import type { Authentication, AuthenticationVariables } from '../http/authentication.ts'
import { defineMiddleware, type EnvWith } from '../http/define-middleware.ts'
import type { LogVariables } from '../http/log.ts'
import { requireCount } from '../http/options.ts'
import type { RouteVariables } from '../http/route-rules.ts'
import { createSharedCounts } from '../store/wallet-rate-limits.ts'
import { clientAddress, clientNetworks, quotasOf } from './client-address.ts'
import { type Count, createMemoryCounts } from './memory-counts.ts'

/** A limit that a request counts against, and what remains of it: requests, or points of cost. */
export type Limit = {
  /** Name in `RateLimit-Policy`. */
  name: string
  quota: number
  remaining: number
  /** Until the window ends; at least 1. */
  secondsLeft: number
}

export type LimitVariables = {
  /** The tightest limit that the request counts against; none for probes. */
  limit?: Limit
  /** The tightest limit on the cost of operations; none for a request that reads no operation. */
  costLimit?: Limit
  /** The latest count of the limiter. */
  rateLimit?: RateLimitInfo
}

type Counted = RouteVariables & AuthenticationVariables & Pick<LogVariables, 'metrics'> & LimitVariables

type LimiterDeps = Pick<Deps, 'clock'> & {
  config: Pick<Config, 'rateLimits' | 'rateLimitAddressFactor' | 'rateLimitWindowSeconds' | 'trustedProxies'>
}

/**
 * Limits the requests with a good token that come from one client address, so that fresh wallets do not multiply the
 * limit of a wallet. Counted in this process, before the database is read for the request. The limit is that of the
 * policy times `rateLimitAddressFactor`; wider networks have multiples of it, as `NETWORKS` states.
 *
 * @example
 * startChain()
 *   .use(routeRules(rules))
 *   .use(requestLog(log, Date.now))
 *   .use(authenticate(settings, cookies, Date.now))
 *   .use(addressCeiling({ config, clock: Date.now }))
 */
export function addressCeiling(deps: LimiterDeps) {
  const { config, clock } = deps
  const { rateLimitAddressFactor: factor, rateLimits, trustedProxies } = config
  const { count } = createMemoryCounts({ windowMs: config.rateLimitWindowSeconds * 1000, clock })
  return limitRequests(deps, (policy, c) => {
    if (walletOf(c.get('authentication')) === undefined) return []
    const quotas = quotasOf(clientNetworks(c, trustedProxies), policy, rateLimits[policy] * factor, true)
    return quotas.map(({ key, ...own }) => ({ ...own, count: () => count(key) }))
  })
}

/**
 * Limits requests: per wallet with a valid token, counted over all replicas; per client address without one, counted in
 * this process (interface specification, section 8). A sign-in counts per client address, also with a token.
 *
 * @example
 * startChain()
 *   .use(routeRules(rules))
 *   .use(requestLog(log, Date.now))
 *   .use(authenticate(settings, cookies, Date.now))
 *   .use(rateLimit({ config, store, clock: Date.now }))
 */
export function rateLimit(deps: LimiterDeps & Pick<Deps, 'store'>) {
  const { config, store, clock } = deps
  const { rateLimitWindowSeconds: windowSeconds, rateLimits, trustedProxies } = config
  const countWallet = createSharedCounts(store, clock, windowSeconds)
  const { count: countAddress } = createMemoryCounts({ windowMs: windowSeconds * 1000, clock })
  return limitRequests(deps, (policy, c) => {
    const quota = rateLimits[policy]
    const wallet = policy === 'sign-in' ? undefined : walletOf(c.get('authentication'))
    if (wallet !== undefined)
      return [{ name: policy, quota, count: () => countWallet(`${policy} ${wallet}`) }]
    const quotas = quotasOf(clientNetworks(c, trustedProxies), policy, quota, false)
    return quotas.map(({ key, ...own }) => ({ ...own, count: () => countAddress(key) }))
  })
}

/** A counter of the requests that have its key. */
type Counter = {
  readonly name: string
  /** Requests in one window. */
  readonly quota: number
  readonly count: () => Count | Promise<Count>
}

type CountersOf = (policy: RatePolicy, c: Context<EnvWith<Counted>>) => readonly Counter[]

/** @param countersOf returns none for a request that is not counted; not called for routes without a limit */
function limitRequests({ clock, config }: LimiterDeps, countersOf: CountersOf) {
  const { rateLimitWindowSeconds: windowSeconds } = config
  requireCount('rateLimitWindowSeconds', windowSeconds)
  return defineMiddleware<object, Counted>(async (c, next) => {
    const { limit: policy } = c.get('rules')
    const counters = policy === 'none' ? [] : countersOf(policy, c)
    for (const counter of counters) {
      const remember = () => rememberTightest(c, counter, clock())
      const limiter = rateLimiter<EnvWith<Counted>>({
        windowMs: windowSeconds * 1000,
        limit: counter.quota,
        keyGenerator: () => counter.name,
        store: toLimiterStore(counter),
        standardHeaders: false,
        handler: () => {
          c.get('metrics')?.limited(counter.name)
          throw rateLimited(remember(), windowSeconds)
        },
      })
      await limiter(c, async () => void remember())
    }
    await next()
  })
}

/** The library takes a count back only under its options that skip answers by status, which are off. */
function toLimiterStore({ count }: Counter): Omit<LimiterStore, 'init'> {
  return {
    increment: async () => {
      const { hits, resetsAt } = await count()
      return { totalHits: hits, resetTime: new Date(resetsAt) }
    },
    decrement: () => {},
    resetKey: () => {},
  }
}

/**
 * Keeps the tightest limit of a request for its headers; one that is exceeded is the tightest. @param now milliseconds
 */
function rememberTightest(c: Context<EnvWith<Counted>>, { name, quota }: Counter, now: number): Limit {
  const { used = 0, remaining = quota, resetTime } = c.get('rateLimit') ?? {}
  const limit = toLimit(name, quota, remaining, resetTime?.getTime() ?? now, now)
  const other = c.get('limit')
  if (other === undefined || used > quota || remaining <= other.remaining) c.set('limit', limit)
  return limit
}

/** @param resetsAt milliseconds since 1970, as `now` */
export function toLimit(
  name: string,
  quota: number,
  remaining: number,
  resetsAt: number,
  now: number,
): Limit {
  return { name, quota, remaining, secondsLeft: Math.max(Math.ceil((resetsAt - now) / 1000), 1) }
}

/**
 * Writes the tightest limits of a request, on requests and on cost, into the headers of
 * draft-ietf-httpapi-ratelimit-headers-10: structured fields (RFC 9651) with q = quota, w = window, r =
 * remaining, t = seconds until it is whole again.
 *
 * @example
 * startChain().use(rateLimitHeaders({ rateLimitWindowSeconds: 60 }))
 */
export function rateLimitHeaders({ rateLimitWindowSeconds }: Pick<Config, 'rateLimitWindowSeconds'>) {
  requireCount('rateLimitWindowSeconds', rateLimitWindowSeconds)
  return defineMiddleware<LimitVariables>(async (c, next) => {
    await next({})
    const limits = [c.get('limit'), c.get('costLimit')].filter((limit) => limit !== undefined)
    if (limits.length === 0) return
    const policies = limits.map(({ name, quota }) => `"${name}";q=${quota};w=${rateLimitWindowSeconds}`)
    const left = limits.map(({ name, remaining, secondsLeft }) => `"${name}";r=${remaining};t=${secondsLeft}`)
    c.res.headers.set('RateLimit-Policy', policies.join(', '))
    c.res.headers.set('RateLimit', left.join(', '))
  })
}

/** Returns the key that a request counts for: the wallet of its valid token, else the client address. */
export function callerOf<E extends EnvWith<AuthenticationVariables>>(
  c: Context<E>,
  trustedProxies: number,
): string {
  return walletOf(c.get('authentication')) ?? clientAddress(c, trustedProxies)
}

export function walletOf(authentication: Authentication): string | undefined {
  return 'session' in authentication ? authentication.session.wallet : undefined
}

function rateLimited({ quota, secondsLeft }: Limit, windowSeconds: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `More than ${quota} such requests in ${windowSeconds} seconds. Wait ${secondsLeft} seconds; RateLimit states the rest.`,
    { retryAfter: secondsLeft },
  )
}
