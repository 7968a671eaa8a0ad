import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RatePolicy } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv } from './env.ts'
import { type Count, createMemoryCounts } from './memory-counts.ts'
import { PROBES } from './probes.ts'
import { createSharedCounts } from './rate-limit-store.ts'

/** A limit that a request counts against, and what is left of it. */
type Limit = {
  /** As `RateLimit-Policy` calls it. */
  name: string
  quota: number
  remaining: number
  /** Until the window ends; at least 1. */
  secondsLeft: number
}

type LimitedEnv = { Variables: AppEnv['Variables'] & { limit?: Limit } }

/** Paths under a limit of their own; all others, also those that nothing answers, share the default one. */
const POLICIES: readonly (readonly [RegExp, RatePolicy])[] = [
  [/^\/api\/v1\/auth\/(nonce|verify)$/, 'sign-in'],
  [/^\/api\/v1\/routes\/optimize$/, 'prepare'],
  [/\/prepare(-execution)?$/, 'prepare'],
  [/^\/api\/v1\/quotes\/preview$/, 'quote'],
]

/**
 * Limits the requests with a good token that come from one client address, so that fresh wallets do not multiply the limit of
 * a wallet. Counted in this process, before the database is read for the request.
 */
export function addressCeiling({
  config,
  clock,
}: Pick<Deps, 'config' | 'clock'>): MiddlewareHandler<LimitedEnv> {
  const { rateLimits, rateLimitAddressFactor, rateLimitWindowSeconds: windowSeconds, trustedProxies } = config
  const counts = createMemoryCounts({ windowMs: windowSeconds * 1000, clock })
  return createMiddleware<LimitedEnv>(async (c, next) => {
    if (walletOf(c) !== undefined && !PROBES.has(c.req.path)) {
      const policy = policyOf(c)
      const quota = rateLimits[policy] * rateLimitAddressFactor
      const count = counts.count(`${policy} ${clientAddress(c, trustedProxies)}`)
      enforce(c, toLimit(`${policy}-address`, quota, count, clock()), windowSeconds)
    }
    await next()
  })
}

/**
 * Limits requests: per wallet with a good token, counted over all replicas; per client address without one, counted here
 * (interface specification, section 8). A sign-in has no wallet yet, whatever token is sent with it. Every answer says what the
 * limit is and what is left of it.
 */
export function rateLimit(deps: Pick<Deps, 'config' | 'store' | 'clock'>): MiddlewareHandler<LimitedEnv> {
  const { config, store, clock } = deps
  const windowSeconds = config.rateLimitWindowSeconds
  const countWallet = createSharedCounts(store, clock, windowSeconds)
  const addresses = createMemoryCounts({ windowMs: windowSeconds * 1000, clock })
  const countCaller = (c: Context<LimitedEnv>, policy: RatePolicy) => {
    const wallet = policy === 'sign-in' ? undefined : walletOf(c)
    if (wallet !== undefined) return countWallet(`${policy} ${wallet}`)
    return addresses.count(`${policy} ${clientAddress(c, config.trustedProxies)}`)
  }
  return createMiddleware<LimitedEnv>(async (c, next) => {
    if (PROBES.has(c.req.path)) return next()
    const policy = policyOf(c)
    const count = await countCaller(c, policy)
    enforce(c, toLimit(policy, config.rateLimits[policy], count, clock()), windowSeconds)
    await next()
    // Set last, so that an answer which is not the framework's own carries them too.
    writeLimit(c, windowSeconds)
  })
}

/** Whom a request counts for: the wallet that it carries a good token of, else the address it comes from. */
export function callerOf(c: Context<AppEnv>, trustedProxies: number): string {
  return walletOf(c) ?? clientAddress(c, trustedProxies)
}

function walletOf(c: { var: Pick<AppEnv['Variables'], 'authentication'> }): string | undefined {
  return 'session' in c.var.authentication ? c.var.authentication.session.wallet : undefined
}

function policyOf(c: Context<LimitedEnv>): RatePolicy {
  return POLICIES.find(([path]) => path.test(c.req.path))?.[1] ?? 'default'
}

/** @param now milliseconds */
function toLimit(
  name: string,
  quota: number,
  { hits, resetsAt }: Count,
  now: number,
): Limit & { isExceeded: boolean } {
  const secondsLeft = Math.max(Math.ceil((resetsAt - now) / 1000), 1)
  return { name, quota, remaining: Math.max(quota - hits, 0), secondsLeft, isExceeded: hits > quota }
}

/** Remembers the tightest limit of a request for its headers. @throws `RATE_LIMITED` */
function enforce(
  c: Context<LimitedEnv>,
  limit: Limit & { isExceeded: boolean },
  windowSeconds: number,
): void {
  const { limit: other } = c.var
  if (other === undefined || limit.isExceeded || limit.remaining <= other.remaining) c.set('limit', limit)
  if (!limit.isExceeded) return
  writeLimit(c, windowSeconds)
  throw rateLimited(limit, windowSeconds)
}

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-10: structured fields (RFC 9651) with q = quota, w = window,
 * r = remaining, t = seconds until it is whole again.
 */
function writeLimit(c: Context<LimitedEnv>, windowSeconds: number): void {
  const { limit } = c.var
  if (!limit) return
  const { name, quota, remaining, secondsLeft } = limit
  c.header('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  c.header('RateLimit', `"${name}";r=${remaining};t=${secondsLeft}`)
}

function rateLimited({ quota, secondsLeft }: Limit, windowSeconds: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `More than ${quota} such requests in ${windowSeconds} seconds. Wait ${secondsLeft} seconds; RateLimit says what is left.`,
    { retryAfter: secondsLeft },
  )
}
