import { cors as allowOrigins } from 'hono/cors'
import type { Config } from '../config/config.ts'
import { includesOrigin } from '../domain/origin.ts'
import { CSRF_HEADER } from './csrf.ts'
import { defineMiddleware } from './define-middleware.ts'

/**
 * Vary: the request headers that an answer depends on. All answers name all of them, so that no cache can mistake one
 * answer for another.
 */
function varyOf({ sessionCookies }: Pick<Config, 'sessionCookies'>): string {
  const cookie = sessionCookies ? ['Cookie'] : []
  return ['Accept', 'Accept-Encoding', 'Authorization', ...cookie, 'Origin'].join(', ')
}

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

const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Min-Block',
  'X-Request-Id',
]

type CorsSettings = Pick<Config, 'corsOrigins' | 'siteOrigins' | 'sessionCookies'>

/**
 * Lets pages of `CORS_ORIGINS` call. Those of them that are sites of the gateway may send cookies, where sessions can
 * be in cookies.
 *
 * @example
 * startChain().use(cors({ corsOrigins: parseOrigins('*'), siteOrigins: [], sessionCookies: false }))
 */
export const cors = ({ corsOrigins, siteOrigins, sessionCookies }: CorsSettings) => {
  const isAny = corsOrigins.listed.includes('*')
  const isAllowed = (origin: string) => isAny || includesOrigin(corsOrigins, origin)
  const mayHaveCookies = (origin: string) =>
    sessionCookies && isAllowed(origin) && includesOrigin(siteOrigins, origin)
  const common = { allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'], maxAge: 600 }
  const preflight = allowOrigins({
    ...common,
    origin: isAny ? '*' : (origin) => (isAllowed(origin) ? origin : null),
    allowHeaders: ALLOWED_HEADERS,
  })
  const preflightWithCookies = allowOrigins({
    ...common,
    origin: (origin) => origin,
    allowHeaders: [...ALLOWED_HEADERS, CSRF_HEADER],
    credentials: true,
  })
  const vary = varyOf({ sessionCookies })
  return defineMiddleware(async (c, next) => {
    const origin = c.req.header('Origin') ?? ''
    const hasCookies = mayHaveCookies(origin)
    if (c.req.method === 'OPTIONS') return (hasCookies ? preflightWithCookies : preflight)(c, next)
    await next()
    // The library would have each answer copied, its body as a stream.
    const { headers } = c.res
    headers.set('Vary', vary)
    headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    if (isAllowed(origin)) headers.set('Access-Control-Allow-Origin', isAny && !hasCookies ? '*' : origin)
    if (hasCookies) headers.set('Access-Control-Allow-Credentials', 'true')
  })
}
