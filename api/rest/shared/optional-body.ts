/**
 * A body that may be left out is left out when it is empty too: some clients set a JSON type for every request. One
 * that is not JSON is refused, since it may say what the caller wants.
 */
import type { RouteConfig } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { CodedError } from '../../errors.ts'
import type { AppEnv } from '../../http/env.ts'

type Described = Pick<RouteConfig, 'request'>

/** Returns the middleware of a route whose body is optional; none of another one. */
export function optionalBody({ request }: Described): Pick<RouteConfig, 'middleware'> {
  return request?.body && !request.body.required ? { middleware: emptyOrJson } : {}
}

/** An empty body is read as an empty object, as a request without a type is. */
const emptyOrJson = createMiddleware<AppEnv>(async (c, next) => {
  const type = c.req.header('Content-Type')
  const isEmpty = (await c.req.text()) === ''
  if (!isEmpty && !type?.startsWith('application/json'))
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', NOT_JSON)
  if (isEmpty && type !== undefined) Object.assign(c.req.bodyCache, { text: Promise.resolve('{}') })
  await next()
})

const NOT_JSON = 'The body is not JSON. Send it with `Content-Type: application/json`.'
