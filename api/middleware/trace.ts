import { createMiddleware } from 'hono/factory'
import type { Tracing } from '../tracing/tracing.ts'
import type { AppEnv } from './env.ts'
import { statusOf } from './log.ts'

/** Makes a span of each request, in the trace of its caller. */
export function traceRequests({ request }: Tracing) {
  return createMiddleware<AppEnv>((c, next) =>
    request(
      { method: c.req.method, requestId: c.get('requestId'), traceparent: c.req.header('traceparent') },
      next,
      () => ({ route: c.get('route'), operation: c.get('operation'), status: statusOf(c) }),
    ),
  )
}
