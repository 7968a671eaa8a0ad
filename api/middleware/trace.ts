import { createMiddleware } from 'hono/factory'
import type { Tracing } from '../tracing/tracing.ts'
import type { AppEnv } from './env.ts'
import { statusOf } from './log.ts'
import { requestIdOf } from './request-ids.ts'

/** Makes a span of each request, in the trace of its caller. */
export function traceRequests({ request }: Tracing) {
  return createMiddleware<AppEnv>((c, next) => {
    const requestId = requestIdOf(c)
    c.set('requestId', requestId)
    return request(
      { method: c.req.method, requestId, traceparent: c.req.header('traceparent') },
      next,
      () => ({
        route: c.get('route'),
        operation: c.get('operation'),
        status: statusOf(c),
      }),
    )
  })
}
