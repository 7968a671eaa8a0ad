import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './env.ts'

const WELL_FORMED = /^[\w\-=]{1,255}$/

/** Keeps the caller's `X-Request-Id` if it is well-formed, else makes one. `hono/request-id` sets the header of each answer separately. */
export const requestIds = () =>
  createMiddleware<AppEnv>((c, next) => {
    const own = c.req.header('X-Request-Id')
    c.set('requestId', own !== undefined && WELL_FORMED.test(own) ? own : crypto.randomUUID())
    return next()
  })
