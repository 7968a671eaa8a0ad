/** A body that may be left out is left out when it is empty too: some clients set a JSON type for every request. */
import type { RouteConfig } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../../http/env.ts'

type Described = Pick<RouteConfig, 'request'>

/** Returns the middleware of a route whose body is optional; none of another one. */
export function optionalBody({ request }: Described): Pick<RouteConfig, 'middleware'> {
  return request?.body && !request.body.required ? { middleware: emptyIsObject } : {}
}

/** The schema then reads an empty object, as it does of a request without a type. */
const emptyIsObject = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('Content-Type') !== undefined && (await c.req.text()) === '')
    Object.assign(c.req.bodyCache, { text: Promise.resolve('{}') })
  await next()
})
