import type { Context } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { SIGNATURE_LENGTH_MAX } from '../auth/limits.ts'
import { requireShape } from '../domain/json-shape.ts'
import { CodedError } from '../errors.ts'
import type { AppEnv } from './env.ts'

/** Refuses a larger body before it is read. */
export const bodyLimit = (maxSize: number) => {
  const limit = limitBody({
    maxSize,
    onError: () => {
      throw new CodedError('PAYLOAD_TOO_LARGE', `The body exceeds the maximum of ${maxSize} bytes.`, {
        facts: { maxSize },
      })
    },
  })
  // The body of a GET is never read. To look for one makes a request object of the platform, with a stream.
  return createMiddleware<AppEnv>((c, next) =>
    c.req.method === 'GET' || statesAtMost(c, maxSize) ? next() : limit(c, next),
  )
}

/** Whether `Content-Length` shows that the body is within the limit. Node reads no more than it states. */
function statesAtMost({ req }: Context<AppEnv>, maxSize: number): boolean {
  const length = req.header('Content-Length')
  if (length === undefined || req.header('Transfer-Encoding') !== undefined) return false
  return Number(length) <= maxSize
}

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
