/** Limits the cost of the operations that one caller may ask for in a window. */
import type { Context } from 'hono'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import type { AuthenticationVariables } from '../http/authentication.ts'
import { defineMiddleware, type EnvWith } from '../http/define-middleware.ts'
import type { LogVariables } from '../http/log.ts'
import { clientNetworks, type Quota, quotasOf } from './client-address.ts'
import { type Count, createMemoryCounts } from './memory-counts.ts'
import { type Limit, type LimitVariables, toLimit, walletOf } from './rate-limit.ts'

export type BudgetVariables = {
  /** How often an operation counts with its cost. Default: once. */
  costTimes?: number
  /**
   * Counts the cost of an operation that is to be read. One that the budget refuses does not count.
   *
   * @param cost of the operation, in points
   * @throws CodedError `RATE_LIMITED`
   */
  spend: (cost: number) => void
  /** Adds to what the operation has spent, or takes from it, as it turned out to take more or less. Refuses nothing. */
  settle: (difference: number) => void
}

type Needed = AuthenticationVariables & LimitVariables & Pick<LogVariables, 'metrics'>

type BudgetDeps = Pick<Deps, 'clock'> & {
  config: Pick<
    Config,
    'rateLimitCost' | 'rateLimitAddressFactor' | 'rateLimitWindowSeconds' | 'trustedProxies'
  >
}

/**
 * Gives each wallet with a valid token a budget, and each client address without one. All wallets of one client address
 * have `rateLimitAddressFactor` budgets together. Wider networks have multiples of both, as `NETWORKS` states. Each
 * gateway has its own counts.
 *
 * @example
 * startChain()
 *   .use(requestLog(log, Date.now))
 *   .use(authenticate(settings, cookies, Date.now))
 *   .use(rateLimitHeaders(config))
 *   .use(costBudget({ config, clock: Date.now }))
 */
export function costBudget({ config, clock }: BudgetDeps) {
  const { rateLimitCost, rateLimitAddressFactor, rateLimitWindowSeconds: seconds, trustedProxies } = config
  const { count } = createMemoryCounts({ windowMs: seconds * 1000, clock })

  const budgetsOf = (c: Context<EnvWith<Needed>>): readonly Quota[] => {
    const wallet = walletOf(c.get('authentication'))
    const networks = clientNetworks(c, trustedProxies)
    if (wallet === undefined) return quotasOf(networks, 'cost', rateLimitCost, false)
    return [
      { name: 'cost', quota: rateLimitCost, key: wallet },
      ...quotasOf(networks, 'cost', rateLimitCost * rateLimitAddressFactor, true),
    ]
  }

  return defineMiddleware<BudgetVariables, Needed>(async (c, next) => {
    const countsOf = () => budgetsOf(c).map((budget) => ({ ...budget, spent: count(budget.key, 0) }))
    const add = (counts: ReturnType<typeof countsOf>, points: number) => {
      // A window that has begun since has nothing to give back.
      for (const { spent } of counts) spent.hits = Math.max(0, spent.hits + points)
      const [tightest] = counts
        .map((one) => limitOf(one, clock()))
        .toSorted((a, b) => a.remaining - b.remaining)
      if (tightest) c.set('costLimit', tightest)
    }
    const spend = (cost: number) => {
      const points = cost * (c.get('costTimes') ?? 1)
      const counts = countsOf()
      const exceeded = counts.find(({ quota, spent }) => spent.hits + points > quota)
      if (exceeded) {
        c.set('costLimit', limitOf(exceeded, clock()))
        c.get('metrics')?.limited(exceeded.name)
        throw overBudget(limitOf(exceeded, clock()), points, seconds)
      }
      add(counts, points)
    }
    const settle = (difference: number) => add(countsOf(), difference * (c.get('costTimes') ?? 1))
    await next({ spend, settle })
  })
}

function limitOf({ name, quota, spent }: Quota & { readonly spent: Count }, now: number): Limit {
  return toLimit(name, quota, Math.max(0, quota - spent.hits), spent.resetsAt, now)
}

function overBudget({ quota, remaining, secondsLeft }: Limit, points: number, seconds: number): CodedError {
  return new CodedError(
    'RATE_LIMITED',
    `The query costs ${points}; ${remaining} of ${quota} in ${seconds} seconds are left. Wait ${secondsLeft} seconds, or ask for less: RateLimit states what is left.`,
    { retryAfter: secondsLeft },
  )
}
