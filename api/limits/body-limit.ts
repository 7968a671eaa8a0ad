import type { Context } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import { SIGNATURE_LENGTH_MAX } from '../auth/sign-in-limits.ts'
import { requireShape } from '../domain/json-shape.ts'
import { CodedError } from '../errors.ts'
import { defineMiddleware, type Middleware } from '../http/define-middleware.ts'
import { requireCount } from '../http/options.ts'

/**
 * Refuses a larger body with `PAYLOAD_TOO_LARGE` before it is read.
 *
 * @param maxSize bytes, at least 1
 *
 * @example
 * startChain().use(bodyLimit(100_000))
 */
export function bodyLimit(maxSize: number): Middleware {
  requireCount('maxSize', maxSize)
  const limit = limitBody({
    maxSize,
    onError: () => {
      throw new CodedError('PAYLOAD_TOO_LARGE', `The body exceeds the maximum of ${maxSize} bytes.`, {
        facts: { maxSize },
      })
    },
  })
  // The body of a GET is never read. To look for one makes a request object of the platform, with a stream.
  return defineMiddleware(async (c, next) => {
    if (c.req.method === 'GET' || statesAtMost(c, maxSize)) return next()
    return limit(c, next)
  })
}

/** Whether `Content-Length` shows that the body is within the limit. Node reads no more than it states. */
function statesAtMost({ req }: Context, maxSize: number): boolean {
  const length = req.header('Content-Length')
  if (length === undefined || req.header('Transfer-Encoding') !== undefined) return false
  return Number(length) <= maxSize
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/**
 * Refuses a JSON body of a shape that no route needs, before a schema reports each of its faults.
 *
 * @param exceptPath a route that reads the request itself and bounds what it reads
 *
 * @example
 * startChain().use(bodyLimit(100_000)).use(bodyShape('/api/v1/graphql'))
 */
export function bodyShape(exceptPath: string) {
  return defineMiddleware(async (c, next) => {
    const isJson = JSON_TYPE.test(c.req.header('Content-Type') ?? '')
    if (isJson && c.req.path !== exceptPath) await requireBodyShape(c)
    await next()
  })
}

async function requireBodyShape({ req }: Context): Promise<void> {
  // The route refuses a body that cannot be parsed, if it reads one.
  const body: unknown = await req.json().catch(() => undefined)
  requireShape(body, 'body', SIGNATURE_LENGTH_MAX)
}
