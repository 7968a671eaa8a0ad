import { bodyLimit as limitBody } from 'hono/body-limit'
import { cors as allowOrigins } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { SIGNATURE_LENGTH_MAX } from '../auth/limits.ts'
import { requireShape } from '../domain/json-shape.ts'
import { CodedError, validationFailed } from '../errors.ts'
import type { AppEnv } from './env.ts'

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

/** Refuses a larger body before it is read. */
export const bodyLimit = (maxSize: number) =>
  limitBody({
    maxSize,
    onError: () => {
      throw new CodedError('PAYLOAD_TOO_LARGE', `The body exceeds the maximum of ${maxSize} bytes.`, {
        facts: { maxSize },
      })
    },
  })

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/**
 * Refuses a JSON body of a shape that no route needs, before a schema reports each of its faults.
 *
 * @param exceptPath a route that reads the request itself and bounds what it reads
 */
export const bodyShape = (exceptPath: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.path !== exceptPath && JSON_TYPE.test(c.req.header('Content-Type') ?? '')) {
      // The route refuses a body that cannot be parsed, if it reads one.
      const body: unknown = await c.req.json().catch(() => undefined)
      requireShape(body, 'body', SIGNATURE_LENGTH_MAX)
    }
    await next()
  })

/** A browser sends some 150 characters. */
const ACCEPT_LENGTH_MAX = 1000

/** Refuses a long `Accept`: GraphQL answers one that it cannot meet with headers that grow with it. */
export const acceptLimit = () =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { length } = c.req.header('Accept') ?? ''
    if (length > ACCEPT_LENGTH_MAX) {
      const message = `has ${length} characters; the maximum is ${ACCEPT_LENGTH_MAX}`
      throw validationFailed([{ path: 'Accept', message }])
    }
    await next()
  })
