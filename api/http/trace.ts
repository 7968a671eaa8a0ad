import type { Tracing } from '../tracing/tracing.ts'
import { defineMiddleware } from './define-middleware.ts'
import { type LogVariables, statusOf } from './log.ts'
import type { RequestIdVariables } from './request-id.ts'
import type { RouteVariables } from './route-rules.ts'

type Described = RequestIdVariables & Pick<RouteVariables, 'route'> & Pick<LogVariables, 'operation'>

/**
 * Makes a span of each request, in the trace of its caller.
 *
 * @param tracing undefined where no endpoint takes traces
 *
 * @example
 * startChain().use(requestId()).use(routeRules(rules)).use(traceRequests(tracing))
 */
export const traceRequests = (tracing: Tracing | undefined) =>
  defineMiddleware<object, Described>((c, next) => {
    if (!tracing) return next()
    return tracing.request(
      { method: c.req.method, requestId: c.get('requestId'), traceparent: c.req.header('traceparent') },
      next,
      () => ({ route: c.get('route'), operation: c.get('operation'), status: statusOf(c) }),
    )
  })
