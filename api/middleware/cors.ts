import { cors as allowOrigins } from 'hono/cors'
import { createMiddleware } from 'hono/factory'

/** Sets Vary: the request headers that an answer depends on. The same for all, so that no cache can mistake one for another. */
export const vary = () =>
  createMiddleware(async (c, next) => {
    await next()
    if (c.req.method !== 'OPTIONS')
      c.res.headers.set('Vary', 'Accept, Accept-Encoding, Authorization, Origin')
  })

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Finalized-Through',
  'X-Request-Id',
].join(',')

/** Browsers of the listed origins may call. Tokens travel in a header of their own, never in a cookie: no credentials. */
export const cors = (origins: readonly string[]) => {
  const isAny = origins.includes('*')
  const preflight = allowOrigins({
    origin: isAny ? '*' : [...origins],
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
    maxAge: 600,
  })
  return createMiddleware(async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    await next()
    // The library would have each response copied, its body as a stream.
    const { headers } = c.res
    const origin = c.req.header('Origin') ?? ''
    if (isAny || origins.includes(origin)) headers.set('Access-Control-Allow-Origin', isAny ? '*' : origin)
    headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
  })
}
