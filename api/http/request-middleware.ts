import type { SignInSettings } from '../auth/sign-in.ts'
import type { Deps } from '../deps.ts'
import { bodyLimit, bodyShape } from '../limits/body-limit.ts'
import { costBudget } from '../limits/cost-budget.ts'
import { headerLimits } from '../limits/header-limits.ts'
import { minBlock } from '../limits/min-block.ts'
import { addressCeiling, rateLimit, rateLimitHeaders } from '../limits/rate-limit.ts'
import { unreadAnswers } from '../limits/unread-answers.ts'
import { authenticate, guard, refuseRevoked } from './authenticate.ts'
import { cacheControl } from './cache-control.ts'
import { conditional } from './conditional.ts'
import { cors } from './cors.ts'
import { startChain } from './define-middleware.ts'
import { requestLog } from './log.ts'
import { refuseQuery } from './refuse-query.ts'
import { requestId } from './request-id.ts'
import { type RulesByRoute, routeRules } from './route-rules.ts'
import { securityHeaders } from './security-headers.ts'
import { traceRequests } from './trace.ts'

type Options = {
  readonly rules: RulesByRoute
  readonly settings: SignInSettings
  readonly graphqlPath: string
}

/**
 * Chains the steps of a request before its handler, in this order. The type of the chain states the variables that
 * handlers may read.
 */
export function requestMiddleware(deps: Deps, { rules, settings, graphqlPath }: Options) {
  const { config, clock } = deps
  return startChain()
    .use(requestId())
    .use(routeRules(rules))
    .use(traceRequests(deps.tracing))
    .use(requestLog(deps.log, clock, deps.metrics))
    .use(securityHeaders())
    .use(cors(config))
    .use(authenticate(settings, config, clock))
    .use(cacheControl())
    .use(rateLimitHeaders(config))
    .use(addressCeiling(deps))
    .use(refuseRevoked(deps.store))
    .use(rateLimit(deps))
    .use(costBudget(deps))
    .use(guard())
    .use(unreadAnswers(config))
    .use(headerLimits())
    .use(refuseQuery())
    .use(bodyLimit(config.bodyLimitBytes))
    .use(bodyShape(graphqlPath))
    .use(conditional())
    .use(minBlock(deps))
}
