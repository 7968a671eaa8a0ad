import type { Context } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import { SIGNATURE_LENGTH_MAX } from '../auth/limits.ts'
import { requireShape } from '../domain/json-shape.ts'
import { CodedError } from '../errors.ts'
import type { AppEnv } from './env.ts'
import { noHandler, type Step } from './steps.ts'

/** Refuses a larger body before it is read. */
export function bodyLimit(maxSize: number): Step {
  const limit = limitBody({
    maxSize,
    onError: () => {
      throw new CodedError('PAYLOAD_TOO_LARGE', `The body exceeds the maximum of ${maxSize} bytes.`, {
        facts: { maxSize },
      })
    },
  })
  // The body of a GET is never read. To look for one makes a request object of the platform, with a stream.
  return (c) => {
    if (c.req.method !== 'GET' && !statesAtMost(c, maxSize)) return limit(c, noHandler)
  }
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
export function bodyShape(exceptPath: string): Step {
  return (c) => {
    if (c.req.path !== exceptPath && JSON_TYPE.test(c.req.header('Content-Type') ?? ''))
      return requireBodyShape(c)
  }
}

async function requireBodyShape({ req }: Context<AppEnv>): Promise<void> {
  // The route refuses a body that cannot be parsed, if it reads one.
  const body: unknown = await req.json().catch(() => undefined)
  requireShape(body, 'body', SIGNATURE_LENGTH_MAX)
}
