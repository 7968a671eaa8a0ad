import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type RateLimitInfo, rateLimiter } from 'hono-rate-limiter'
import type { RatePolicy } from '../config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv } from './env.ts'
import { createSharedCounts } from './rate-limit-store.ts'

type LimitedEnv = { Variables: AppEnv['Variables'] & { rateLimit: RateLimitInfo } }

/** Probes come often, and an orchestrator that is refused an answer kills a healthy gateway. */
const UNLIMITED: ReadonlySet<string> = new Set(['/api/v1/health', '/api/v1/health/ready'])

/** Paths under a limit of their own; all others, also those that nothing answers, share the default one. */
const POLICIES: readonly (readonly [RegExp, RatePolicy])[] = [
  [/^\/api\/v1\/auth\/(nonce|verify)$/, 'sign-in'],
  [/^\/api\/v1\/routes\/optimize$/, 'prepare'],
  [/\/prepare(-execution)?$/, 'prepare'],
  [/^\/api\/v1\/quotes\/preview$/, 'quote'],
]

/**
 * Limits requests: per wallet with a good token, counted over all replicas; per client address without one, counted here
 * (interface specification, section 8). Every answer says what the limit is and what is left of it.
 */
export function rateLimit(deps: Pick<Deps, 'config' | 'store' | 'clock'>): MiddlewareHandler<LimitedEnv> {
  const { config, store, clock } = deps
  const windowSeconds = config.rateLimitWindowSeconds
  const common = {
    windowMs: windowSeconds * 1000,
    limit: (c: Context<LimitedEnv>) => config.rateLimits[policyOf(c)],
    standardHeaders: false,
    handler: (c: Context<LimitedEnv>) => {
      const secondsLeft = writeLimit(c, windowSeconds, clock())
      throw rateLimited(c.var.rateLimit.limit, windowSeconds, secondsLeft)
    },
  }
  const byWallet = rateLimiter<LimitedEnv>({
    ...common,
    keyGenerator: (c) => `${policyOf(c)} ${walletOf(c)}`,
    store: createSharedCounts(store, clock, windowSeconds),
  })
  const byAddress = rateLimiter<LimitedEnv>({
    ...common,
    keyGenerator: (c) => `${policyOf(c)} ${clientAddress(c, config.trustedProxies)}`,
  })
  return createMiddleware<LimitedEnv>(async (c, next) => {
    if (UNLIMITED.has(c.req.path)) return next()
    await (walletOf(c) === undefined ? byAddress : byWallet)(c, next)
    writeLimit(c, windowSeconds, clock())
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

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-10, which the library does not know yet: structured fields (RFC 9651)
 * with q = quota, w = window, r = remaining, t = seconds until it is whole again.
 *
 * @param now milliseconds
 * @returns the seconds
 */
function writeLimit(c: Context<LimitedEnv>, windowSeconds: number, now: number): number {
  const { limit, remaining, resetTime } = c.var.rateLimit
  const policy = policyOf(c)
  const left = Math.ceil(((resetTime?.getTime() ?? now) - now) / 1000)
  const secondsLeft = Math.min(Math.max(left, 1), windowSeconds)
  c.header('RateLimit-Policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  c.header('RateLimit', `"${policy}";r=${remaining};t=${secondsLeft}`)
  return secondsLeft
}

function rateLimited(limit: number, windowSeconds: number, retryAfter: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `More than ${limit} such requests in ${windowSeconds} seconds. Wait ${retryAfter} seconds; RateLimit says what is left.`,
    { retryAfter },
  )
}
