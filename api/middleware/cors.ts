import { cors as allowOrigins } from 'hono/cors'
import { createMiddleware } from 'hono/factory'

/** Sets Vary: the request headers that an answer depends on. The same for all, so that no cache can mistake one for another. */
export const vary = () =>
  createMiddleware(async (c, next) => {
    await next()
    if (c.req.method !== 'OPTIONS')
      c.res.headers.set('Vary', 'Accept, Accept-Encoding, Authorization, Origin')
  })

/** Browsers of the listed origins may call. Tokens travel in a header of their own, never in a cookie: no credentials. */
export const cors = (origins: readonly string[]) =>
  allowOrigins({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    allowHeaders: [
      'Accept',
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      'X-Min-Block',
      'X-Request-Id',
    ],
    exposeHeaders: [
      'Content-Disposition',
      'ETag',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Finalized-Through',
      'X-Request-Id',
    ],
    maxAge: 600,
  })
